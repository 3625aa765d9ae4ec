import { useCallback, useEffect, useRef } from 'react';

/**
 * Says whether the part that asks is still shown. Whoever has gone elsewhere while an answer was on its way
 * must not be taken from there to where it would have led.
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
