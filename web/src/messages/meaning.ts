import { catalogue } from '@/lib/texts';
import en from './en/meaning.json';

/** The texts of what the data of a connector mean, and of their corrections. */
export const meaning = catalogue('meaning', en);
