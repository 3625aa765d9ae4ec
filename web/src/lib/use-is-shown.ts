import { useCallback, useEffect, useRef } from 'react';

/**
 * Says whether the component that asks is still shown. People who have moved to another page while an answer was on
 * its way must not be taken to where it would have led.
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
