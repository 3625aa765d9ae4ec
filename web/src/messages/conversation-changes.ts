import { catalogue } from '@/lib/texts';
import en from './en/conversation-changes.json';

/** What is said after a conversation was changed, or could not be. */
export const conversationChanges = catalogue('conversation-changes', en);
