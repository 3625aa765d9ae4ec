import { proxy } from 'valtio';
import type { DeepReadonly } from '@/lib/deep-readonly';

export const appearances = ['system', 'light', 'dark'] as const;

export type Appearance = (typeof appearances)[number];

/** Settings of this browser. */
interface PreferencesState {
  appearance: Appearance;
}

const key = 'parley.appearance';

function stored(): Appearance {
  const value = localStorage.getItem(key);
  return value === 'light' || value === 'dark' ? value : 'system';
}

const state = proxy<PreferencesState>({ appearance: stored() });

export const preferencesState: DeepReadonly<PreferencesState> = state;

export function setAppearance(appearance: Appearance): void {
  state.appearance = appearance;
  if (appearance === 'system') localStorage.removeItem(key);
  else localStorage.setItem(key, appearance);
}
