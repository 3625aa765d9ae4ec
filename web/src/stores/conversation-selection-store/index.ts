import type { DeepReadonly } from '@/lib/deep-readonly';
import { state, type ConversationSelection } from './state';

export const conversationSelection: DeepReadonly<ConversationSelection> = state;

export { beginSelection, endSelection } from './state';
