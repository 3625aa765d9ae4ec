import { useCallback, useSyncExternalStore } from 'react';

/** Whether a media query matches; it is updated when that changes. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}

/** Phones and narrow windows: the sidebar is a drawer, either the list or the conversation is shown. */
export function useIsNarrow(): boolean {
  return useMediaQuery('(max-width: 899px)');
}
