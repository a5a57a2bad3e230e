import { useState } from 'react';
import logo from './logo.svg';

export function App() {
  const [count, setCount] = useState(0);
  return (
    <main>
      <img src={logo} alt="" width={96} height={96} />
      <h1>Hello</h1>
      <button onClick={() => setCount(count + 1)}>count: {count}</button>
    </main>
  );
}
