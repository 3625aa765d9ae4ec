import { catalogue } from '@/lib/texts';
import en from './en/shell.json';

/** The texts of the frame around the pages, and of pages that failed. */
export const shell = catalogue('shell', en);
