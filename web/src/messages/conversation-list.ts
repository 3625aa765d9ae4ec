import { catalogue } from '@/lib/texts';
import en from './en/conversation-list.json';

/** The texts of the list of conversations. */
export const conversationList = catalogue('conversation-list', en);
