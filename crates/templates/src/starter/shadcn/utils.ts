import { clsx, type ClassValue } from 'clsx';
import { twMerge } from 'tailwind-merge';

/** Joins classes; of those that contradict each other the last one stays. */
export const cn = (...classes: ClassValue[]): string => twMerge(clsx(classes));
