import { catalogue } from '@/lib/texts';
import en from './en/projects.json';

/** What the pages of projects say. */
export const projects = catalogue('projects', en);
