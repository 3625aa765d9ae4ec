import { catalogue } from '@/lib/texts';
import en from './en/conversation-selection.json';

/** The texts of the list while several of its conversations are selected. */
export const conversationSelection = catalogue('conversation-selection', en);
