import type { ComponentProps } from 'react';
import { cn } from '@/lib/utils';

type Part = ComponentProps<'div'>;

export function Card({ className, ...props }: Part) {
  return <div className={cn('rounded-xl border border-border bg-card py-6 text-card-foreground shadow-sm', className)} {...props} />;
}

export function CardHeader({ className, ...props }: Part) {
  return <div className={cn('grid gap-2 px-6', className)} {...props} />;
}

export function CardContent({ className, ...props }: Part) {
  return <div className={cn('px-6 pt-6', className)} {...props} />;
}
