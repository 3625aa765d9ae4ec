import { catalogue } from '@/lib/texts';
import en from './en/palette.json';

/** The texts of the command palette. */
export const palette = catalogue('palette', en);
