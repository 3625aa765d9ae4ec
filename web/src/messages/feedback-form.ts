import { catalogue } from '@/lib/texts';
import en from './en/feedback-form.json';

/** The texts of the form for feedback on an answer, which is loaded when it is first opened. */
export const feedbackForm = catalogue('feedback-form', en);
