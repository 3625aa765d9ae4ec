import { catalogue } from '@/lib/texts';
import en from './en/account.json';

/** The texts of the account page. */
export const account = catalogue('account', en);
