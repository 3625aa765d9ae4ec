import { useCallback, useEffect, useRef } from 'react';

/**
 * Returns whether the component is still shown. People who have moved to another page during a request must not be
 * redirected when it ends.
 */
export function useIsShown(): () => boolean {
  const shown = useRef(false);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  return useCallback(() => shown.current, []);
}
