import { catalogue } from '@/lib/texts';
import en from './en/blueprints.json';

/** Blueprints wherever they are shown: lists, the library, the read view, what can be done with one. */
export const blueprints = catalogue('blueprints', en);
