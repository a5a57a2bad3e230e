import clsx from 'clsx';
import { NavLink, Outlet } from 'react-router';

const link = ({ isActive }: { isActive: boolean }) =>
  clsx('rounded px-3 py-1', isActive ? 'bg-accent text-white' : 'text-accent');

export function Layout() {
  return (
    <div className="mx-auto max-w-xl p-6">
      <nav className="mb-6 flex gap-2">
        <NavLink to="/" className={link} end>
          Board
        </NavLink>
        <NavLink to="/about" className={link}>
          About
        </NavLink>
      </nav>
      <Outlet />
    </div>
  );
}
