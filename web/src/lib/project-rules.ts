import * as z from 'zod/mini';
import { limitsOfProjectLabelRequest as limits } from '@/api/limits.gen';
import { projects as t } from '@/messages/projects';
import type { DeepReadonly } from './deep-readonly';
import { requiredText } from './rules';
import type { ProjectLabel } from './wire';

/** The maximum lengths of a project's texts, in characters. */
export const projectLimits = {
  name: limits.name.characters,
  description: limits.description.characters,
} as const;

/** The colours that people choose from, by the names that the server stores. */
export const projectColors = [
  'Olive Green',
  'Royal Blue',
  'Rose pink',
  'Teal blue',
  'Golden yellow',
  'Scarlet red',
] as const;

const hex = /^#[0-9a-f]{6}$/iu;

/** The rules for a project, with the messages of the specification. */
export const projectSchema = z.object({
  name: requiredText(t('name.invalid'), projectLimits.name),
  description: requiredText(t('description.invalid'), projectLimits.description),
  // A project that was made elsewhere may have the default colour, or a custom one.
  color: z
    .string()
    .check(
      z.refine(
        (color) => [...projectColors, 'Purple grey'].includes(color) || hex.test(color),
        t('color.invalid'),
      ),
    ),
});

export type ProjectValues = z.output<typeof projectSchema>;

/** The form values of a project. */
export function projectValues({ name, description, color }: DeepReadonly<ProjectLabel>): ProjectValues {
  return { name, description, color };
}
