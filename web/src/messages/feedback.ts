import { catalogue } from '@/lib/texts';
import en from './en/feedback.json';

/** What a reader thinks of an answer, as they say it. */
export const feedback = catalogue('feedback', en);
