import { catalogue } from '@/lib/texts';
import en from './en/page.json';

/** The texts of the frame of a page. */
export const page = catalogue('page', en);
