import { catalogue } from '@/lib/texts';
import en from './en/connectors.json';

/** The texts of connectors, on their own pages and where they are chosen. */
export const connectors = catalogue('connectors', en);
