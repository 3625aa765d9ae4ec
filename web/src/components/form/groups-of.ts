import type { Choice } from './form-types';

/** Neighbouring entries of one group, and its name; `undefined` for entries without a group. */
interface Group<V extends string | number> {
  readonly name: string | undefined;
  readonly choices: readonly Choice<V>[];
}

/** The entries by group, in the order of the first entry of each group. */
export function groupsOf<V extends string | number>(choices: readonly Choice<V>[]): Group<V>[] {
  const groups = new Map<string | undefined, Choice<V>[]>();
  for (const choice of choices) {
    const members = groups.get(choice.group);
    if (members) members.push(choice);
    else groups.set(choice.group, [choice]);
  }
  return [...groups].map(([name, members]) => ({ name, choices: members }));
}
