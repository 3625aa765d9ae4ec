import { catalogue } from '@/lib/texts';
import en from './en/feedback-list.json';

/** The texts of the administration of feedback. */
export const feedbackList = catalogue('feedback-list', en);
