import { Select } from '@radix-ui/themes';

/** The parts of a choice, as a module of its own: they and what they need weigh 15 kB. */
export type ChoiceParts = typeof Select;

export { Select as choiceParts };
