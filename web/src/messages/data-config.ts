import { catalogue } from '@/lib/texts';
import en from './en/data-config.json';

/** The texts of the page for secure credentials. */
export const dataConfig = catalogue('data-config', en);
