import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Card, CardContent, CardHeader } from '@/components/ui/card';
import logo from './logo.svg';

export function App() {
  const [count, setCount] = useState(0);
  return (
    <main className="grid min-h-screen place-items-center">
      <Card className="w-80 text-center">
        <CardHeader>
          <img className="justify-self-center" src={logo} alt="" width={96} height={96} />
          <h1>Hello</h1>
        </CardHeader>
        <CardContent>
          <Button onClick={() => setCount(count + 1)}>count: {count}</Button>
        </CardContent>
      </Card>
    </main>
  );
}
