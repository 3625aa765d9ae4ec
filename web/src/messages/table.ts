import { catalogue } from '@/lib/texts';
import en from './en/table.json';

/** Texts of tables. */
export const table = catalogue('table', en);
