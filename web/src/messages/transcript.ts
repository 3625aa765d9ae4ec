import { catalogue } from '@/lib/texts';
import en from './en/transcript.json';

/** What stands around questions and answers. */
export const transcript = catalogue('transcript', en);
