import { catalogue } from '@/lib/texts';
import en from './en/access.json';

/** What the Manage access dialogs say. */
export const access = catalogue('access', en);
