import { catalogue } from '@/lib/texts';
import en from './en/tasks.json';

/** The texts of scheduled work. */
export const tasks = catalogue('tasks', en);
