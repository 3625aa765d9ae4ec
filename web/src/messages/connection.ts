import { catalogue } from '@/lib/texts';
import en from './en/connection.json';

/** The texts for a lost and a restored connection. */
export const connection = catalogue('connection', en);
