import { catalogue } from '@/lib/texts';
import en from './en/projects.json';

/** The texts of the pages of projects. */
export const projects = catalogue('projects', en);
