import { catalogue } from '@/lib/texts';
import en from './en/blocks.json';

/** Texts of code, logs and files, and of what can be done with a display object. */
export const blocks = catalogue('blocks', en);
