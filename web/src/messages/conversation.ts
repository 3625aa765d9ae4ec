import { catalogue } from '@/lib/texts';
import en from './en/conversation.json';

/** The page of a conversation, and that of a new one. */
export const conversation = catalogue('conversation', en);
