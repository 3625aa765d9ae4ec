import { catalogue } from '@/lib/texts';
import en from './en/chart-grain.json';

/** Texts of charts with more points than fit in a drawing, which are loaded with the first one. */
export const chartGrain = catalogue('chart-grain', en);
