import type { Page } from 'playwright-core';

import { elena, mara, samir, tomas } from '../../e2e/people';
import type { World } from './data';
import { agents } from './shots-agents';
import { around } from './shots-around';
import { asking } from './shots-asking';
import { blueprints } from './shots-blueprints';
import { charts } from './shots-charts';
import { connectors } from './shots-connectors';
import { keeping } from './shots-keeping';
import { meaning } from './shots-meaning';
import { memories } from './shots-memories';
import { talking } from './shots-talking';
import { tasks } from './shots-tasks';

/**
 * The people who view the pages: a superuser, a member, two people of another organisation, with and without flags,
 * and a visitor who is not signed in.
 */
export const people = {
  mara,
  tomas,
  elena,
  samir,
  nobody: undefined,
} as const;

export type Person = keyof typeof people;

/** A screen in one state. */
export interface Shot {
  /** The name of its file. */
  name: string;
  /** The person who views it; a superuser if left out. */
  as?: Person;
  /** Opens the screen on a new page. */
  reach: (page: Page, world: World, phone: boolean) => Promise<unknown>;
  /** It shows a loading state, or something that moves: nothing is waited for. */
  busy?: true;
  /** Where it exists, if not everywhere. */
  only?: 'phone' | 'desktop';
  /** It is taken in German too. */
  german?: true;
  /** The height in pixels, if the picture shows more than a screen. */
  height?: number;
}

/** Every screen and state. */
export const shots: readonly Shot[] = [
  ...around,
  ...talking,
  ...charts,
  ...asking,
  ...connectors,
  ...meaning,
  ...keeping,
  ...memories,
  ...blueprints,
  ...agents,
  ...tasks,
];
