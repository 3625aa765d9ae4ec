import { catalogue } from '@/lib/texts';
import en from './en/blueprints.json';

/** The texts of blueprints: lists, the library, the read view, the actions for one. */
export const blueprints = catalogue('blueprints', en);
