import { catalogue } from '@/lib/texts';
import en from './en/blocks.json';

/** The texts of code, logs and files, and of the actions for a display object. */
export const blocks = catalogue('blocks', en);
