import { catalogue } from '@/lib/texts';
import en from './en/feedback.json';

/** The texts for a reader's feedback on an answer. */
export const feedback = catalogue('feedback', en);
