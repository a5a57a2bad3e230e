import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { NewTask } from '../tasks/NewTask';
import { TaskItem } from '../tasks/TaskItem';
import { loadTasks } from '../tasks/load';
import { useTasks } from '../tasks/store';

export function Board() {
  const { tasks, add, toggle, remove, replace } = useTasks();
  const { data, error, isPending } = useQuery({ queryKey: ['tasks'], queryFn: loadTasks });

  useEffect(() => {
    if (data) replace(data);
  }, [data, replace]);

  if (error) return <p role="alert">{error.message}</p>;
  return (
    <main>
      <NewTask onAdd={add} />
      {isPending && <p>Loading…</p>}
      <ul className="mt-4 space-y-2">
        {tasks.map((task) => (
          <TaskItem
            key={task.id}
            task={task}
            onToggle={() => toggle(task.id)}
            onRemove={() => remove(task.id)}
          />
        ))}
      </ul>
    </main>
  );
}
