import { catalogue } from '@/lib/texts';
import en from './en/chart.json';

/** The texts of charts: around a drawing, and about it. */
export const chart = catalogue('chart', en);
