import { useState } from 'react';
import logo from './logo.svg';

export function App() {
  const [count, setCount] = useState(0);
  return (
    <main className="mt-40 grid justify-items-center gap-4 font-sans">
      <img src={logo} alt="" width={96} height={96} />
      <h1>Hello</h1>
      <button className="rounded border px-4 py-2 hover:bg-black/10" onClick={() => setCount(count + 1)}>
        count: {count}
      </button>
    </main>
  );
}
