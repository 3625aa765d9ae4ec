import type { ReactNode } from 'react';

/** What came of an action: done, failed (somebody else says why), or failed with the reason that the dialog shows. */
export type ActionOutcome = boolean | string;

/** Left out an action is not offered; with a reason it is there, greyed, and says why. */
interface Possible {
  disabledReason?: string | undefined;
}

interface Asked extends Possible {
  /** The dialog's heading, such as `Archive connector`. */
  title: string;
  /** What will happen, and to how many. */
  text: ReactNode;
  onConfirm: () => Promise<ActionOutcome>;
}

export interface NameAsked extends Possible {
  title: string;
  /** What the name field holds at first; left out, `Copy of …` for a duplicate and the name itself for a rename. */
  initial?: string;
  /** The longest name, in characters. */
  max: number;
  onConfirm: (name: string) => Promise<ActionOutcome>;
}

/** Everything that a menu may offer. An action that was not given is not offered. */
export interface EntityActions {
  favorite?: { on: boolean; onChange: (on: boolean) => void } | undefined;
  edit?: ({ to: string } & Possible) | undefined;
  rename?: NameAsked | undefined;
  duplicate?: NameAsked | undefined;
  access?: ({ onOpen: () => void } & Possible) | undefined;
  download?: ({ onDownload: () => void } & Possible) | undefined;
  /** Entries of one kind of entity alone. */
  others?: readonly ({ label: string; icon: ReactNode; onSelect: () => void } & Possible)[] | undefined;
  archive?: Asked | undefined;
  unarchive?: ({ onUnarchive: () => void } & Possible) | undefined;
  remove?: Asked | undefined;
}
