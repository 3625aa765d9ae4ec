import { catalogue } from '@/lib/texts';
import en from './en/cluster.json';

/** The texts of the page of the nodes. */
export const cluster = catalogue('cluster', en);
