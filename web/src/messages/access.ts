import { catalogue } from '@/lib/texts';
import en from './en/access.json';

/** The texts of the Manage access dialogs. */
export const access = catalogue('access', en);
