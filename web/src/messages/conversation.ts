import { catalogue } from '@/lib/texts';
import en from './en/conversation.json';

/** The texts of the page of a conversation, and of the page of a new one. */
export const conversation = catalogue('conversation', en);
