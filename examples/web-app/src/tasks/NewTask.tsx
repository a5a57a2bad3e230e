import { useState } from 'react';

export function NewTask({ onAdd }: { onAdd: (title: string) => void }) {
  const [title, setTitle] = useState('');
  return (
    <form
      className="flex gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (title.trim() === '') return;
        onAdd(title);
        setTitle('');
      }}
    >
      <input
        aria-label="New task"
        className="flex-1 rounded border px-3 py-1"
        value={title}
        onChange={(event) => setTitle(event.target.value)}
      />
      <button className="rounded bg-accent px-3 py-1 text-white" type="submit">
        Add
      </button>
    </form>
  );
}
