import { catalogue } from '@/lib/texts';
import en from './en/home.json';

/** The texts of the home page. */
export const home = catalogue('home', en);
