import { catalogue } from '@/lib/texts';
import en from './en/code-editor.json';

export const codeEditor = catalogue('code-editor', en);
