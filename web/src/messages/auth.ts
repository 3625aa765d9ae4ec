import { catalogue } from '@/lib/texts';
import en from './en/auth.json';

/** The texts of the pages around signing in. */
export const auth = catalogue('auth', en);
