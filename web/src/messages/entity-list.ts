import { catalogue } from '@/lib/texts';
import en from './en/entity-list.json';

/** The texts of every list of entities. The texts of one kind of entity come from its own page. */
export const entityList = catalogue('entity-list', en);
