import { catalogue } from '@/lib/texts';
import en from './en/connection.json';

/** The texts of a connection that is lost, and that comes back. */
export const connection = catalogue('connection', en);
