import { Select } from '@radix-ui/themes';

/** The parts of a choice, as a separate module: with their dependencies they are 15 kB. */
export type ChoiceParts = typeof Select;

export { Select as choiceParts };
