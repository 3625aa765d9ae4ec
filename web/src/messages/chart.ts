import { catalogue } from '@/lib/texts';
import en from './en/chart.json';

/** Texts of charts: what stands around a drawing, and what is said of it. */
export const chart = catalogue('chart', en);
