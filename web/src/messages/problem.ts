import { catalogue } from '@/lib/texts';
import en from './en/problem.json';

/** The texts of pages that failed, or that do not exist. */
export const problem = catalogue('problem', en);
