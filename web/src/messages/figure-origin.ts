import { catalogue } from '@/lib/texts';
import en from './en/figure-origin.json';

/** Texts about where a number comes from, which are loaded with the first number that is pointed at. */
export const figureOrigin = catalogue('figure-origin', en);
