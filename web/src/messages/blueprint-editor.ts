import { catalogue } from '@/lib/texts';
import en from './en/blueprint-editor.json';

/** The texts of the form of a blueprint: its four steps, and the problems of saving it. */
export const blueprintEditor = catalogue('blueprint-editor', en);
