import { useSnapshot } from 'valtio';
import { useMediaQuery } from '@/lib/use-media-query';
import { preferencesState } from '@/stores/preferences-store';

/** Light or dark, as the person or else the system wants it. */
export function useAppearance(): 'light' | 'dark' {
  const { appearance } = useSnapshot(preferencesState);
  const systemDark = useMediaQuery('(prefers-color-scheme: dark)');
  if (appearance !== 'system') return appearance;
  return systemDark ? 'dark' : 'light';
}
