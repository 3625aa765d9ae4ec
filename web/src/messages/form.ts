import { catalogue } from '@/lib/texts';
import en from './en/form.json';

/** The texts of every form, wizard and step form. */
export const form = catalogue('form', en);
