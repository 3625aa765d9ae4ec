import { catalogue } from '@/lib/texts';
import en from './en/blueprint-rules.json';

/** What is wrong with a blueprint; the server says the same in English. */
export const blueprintRules = catalogue('blueprint-rules', en);
