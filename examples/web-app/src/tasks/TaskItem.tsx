import clsx from 'clsx';
import type { Task } from './task';

interface Props {
  task: Task;
  onToggle: () => void;
  onRemove: () => void;
}

export function TaskItem({ task, onToggle, onRemove }: Props) {
  return (
    <li className="flex items-center gap-2">
      <label className={clsx('flex-1', task.done && 'line-through opacity-50')}>
        <input type="checkbox" className="mr-2" checked={task.done} onChange={onToggle} />
        {task.title}
      </label>
      <button type="button" aria-label={`Remove ${task.title}`} onClick={onRemove}>
        ×
      </button>
    </li>
  );
}
