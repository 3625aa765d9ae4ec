import { catalogue } from '@/lib/texts';
import en from './en/reference.json';

/** The texts of the page of the API reference. */
export const reference = catalogue('reference', en);
