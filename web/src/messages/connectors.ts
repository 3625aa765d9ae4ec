import { catalogue } from '@/lib/texts';
import en from './en/connectors.json';

/** What is said of connectors, on their own pages and wherever they are chosen. */
export const connectors = catalogue('connectors', en);
