import { catalogue } from '@/lib/texts';
import en from './en/table-filter.json';

/** Texts of the filters of a table, which are loaded when somebody wants to filter one. */
export const tableFilter = catalogue('table-filter', en);
