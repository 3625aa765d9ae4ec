import { catalogue } from '@/lib/texts';
import en from './en/entity-list.json';

/** What every list of entities says. What is said of one kind of entity comes from its own page. */
export const entityList = catalogue('entity-list', en);
