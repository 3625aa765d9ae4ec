import { catalogue } from '@/lib/texts';
import en from './en/codes.json';

/** What the catalogue of error codes says, and what stands in where the server says nothing. */
export const codes = catalogue('codes', en);
