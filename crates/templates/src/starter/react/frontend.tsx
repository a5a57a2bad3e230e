import { StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { App } from './App';

const app = <StrictMode><App /></StrictMode>;
const element = document.getElementById('root')!;
// The root outlives new versions of this module.
const root: Root = (import.meta.hot.data.root ??= createRoot(element));
root.render(app);
