import { catalogue } from '@/lib/texts';
import en from './en/data-config.json';

/** What the page for secure credentials says. */
export const dataConfig = catalogue('data-config', en);
