import { catalogue } from '@/lib/texts';
import en from './en/entity-menu.json';

/** What can be done with an entity as a whole. What it means for one kind of entity its own page says. */
export const entityMenu = catalogue('entity-menu', en);
