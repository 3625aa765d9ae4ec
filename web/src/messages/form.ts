import { catalogue } from '@/lib/texts';
import en from './en/form.json';

/** What every form, wizard and step form says. */
export const form = catalogue('form', en);
