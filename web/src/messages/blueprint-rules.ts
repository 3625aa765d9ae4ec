import { catalogue } from '@/lib/texts';
import en from './en/blueprint-rules.json';

/** The errors of a blueprint; the server has the same texts in English. */
export const blueprintRules = catalogue('blueprint-rules', en);
