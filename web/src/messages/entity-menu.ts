import { catalogue } from '@/lib/texts';
import en from './en/entity-menu.json';

/** The texts of the actions for an entity. The explanations for one kind of entity come from its own page. */
export const entityMenu = catalogue('entity-menu', en);
