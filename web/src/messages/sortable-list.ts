import { catalogue } from '@/lib/texts';
import en from './en/sortable-list.json';

export const sortableList = catalogue('sortable-list', en);
