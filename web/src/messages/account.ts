import { catalogue } from '@/lib/texts';
import en from './en/account.json';

/** What the account page says. */
export const account = catalogue('account', en);
