import { catalogue } from '@/lib/texts';
import en from './en/common.json';

/** Words that many pages share. */
export const common = catalogue('common', en);
