import { catalogue } from '@/lib/texts';
import en from './en/transcript.json';

/** The texts around questions and answers. */
export const transcript = catalogue('transcript', en);
