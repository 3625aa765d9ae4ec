import { useEffect, useState } from 'react';

const refreshEvery = 60_000;

/** The time in milliseconds, refreshed every minute: for relative times. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), refreshEvery);
    return () => clearInterval(timer);
  }, []);
  return now;
}
