import type { ReactNode } from 'react';

/**
 * The result of an action: done, failed (the reason is reported elsewhere), or failed with the reason that the
 * dialog shows.
 */
export type ActionOutcome = boolean | string;

/** An action that is left out is not offered; with a reason it is shown greyed out, with the reason. */
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
  /**
   * What the name field holds at first; if left out, `Copy of …` for a duplicate and the name itself for a rename.
   */
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
  /** Entries for one kind of entity only. */
  others?: readonly ({ label: string; icon: ReactNode; onSelect: () => void } & Possible)[] | undefined;
  archive?: Asked | undefined;
  unarchive?: ({ onUnarchive: () => void } & Possible) | undefined;
  remove?: Asked | undefined;
}

/** The dialogs that a menu opens. */
export type Asking = 'rename' | 'duplicate' | 'archive' | 'remove';
