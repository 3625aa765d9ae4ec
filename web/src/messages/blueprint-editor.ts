import { catalogue } from '@/lib/texts';
import en from './en/blueprint-editor.json';

/** The form of a blueprint: its four steps, and what saving it may meet. */
export const blueprintEditor = catalogue('blueprint-editor', en);
