import { useLayoutEffect } from 'react';
import { useSnapshot } from 'valtio';
import { useMediaQuery } from '@/lib/use-media-query';
import { preferencesState } from '@/stores/preferences-store';

/**
 * Light or dark, as the person chose or else the system is set; the browser's own parts, such as scroll bars,
 * follow it.
 */
export function useAppearance(): 'light' | 'dark' {
  const { appearance } = useSnapshot(preferencesState);
  const systemDark = useMediaQuery('(prefers-color-scheme: dark)');
  const system = systemDark ? 'dark' : 'light';
  const resolved = appearance === 'system' ? system : appearance;
  useLayoutEffect(() => {
    document.documentElement.style.colorScheme = resolved;
  }, [resolved]);
  return resolved;
}
