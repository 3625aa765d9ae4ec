import { catalogue } from '@/lib/texts';
import en from './en/conversation-changes.json';

/** The messages after a conversation was changed, or could not be changed. */
export const conversationChanges = catalogue('conversation-changes', en);
