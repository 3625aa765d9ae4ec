import { catalogue } from '@/lib/texts';
import en from './en/memories.json';

/** The texts of memories: the page, its tab of memories, their cards and dialogs. */
export const memories = catalogue('memories', en);
