import { z } from 'zod';

export const Task = z.object({
  id: z.string().min(1),
  title: z.string().trim().min(1, 'a task has a title').max(200),
  done: z.boolean().default(false),
});

export type Task = z.infer<typeof Task>;

export const Tasks = z.array(Task);
