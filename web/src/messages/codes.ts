import { catalogue } from '@/lib/texts';
import en from './en/codes.json';

/** The texts of the catalogue of error codes, and the default texts if the server sends none. */
export const codes = catalogue('codes', en);
