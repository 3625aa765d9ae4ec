import { catalogue } from '@/lib/texts';
import en from './en/agents.json';

/** The texts of agents: their list, their editor, and the conversation in which one is tried. */
export const agents = catalogue('agents', en);
