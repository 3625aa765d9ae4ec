import { catalogue } from '@/lib/texts';
import en from './en/keys.json';

/** The texts of the keys and their dialog. */
export const keys = catalogue('keys', en);
