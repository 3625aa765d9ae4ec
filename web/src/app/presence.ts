import { useEffect } from 'react';
import { endSession, sendKeepAlive } from '@/stores/me-store';
import { wakeUp } from '@/stores/stream-bindings';

const keepAliveEvery = 10 * 60_000;
const idleLimit = 4 * 60 * 60_000;
const idleCheck = 60_000;
/** Shared by the tabs: a person who works in one is not idle in another. */
const activityKey = 'parley.lastActivity';
const activityEvents = ['mousemove', 'mousedown', 'keydown', 'touchstart', 'scroll', 'wheel'] as const;

/** Tells the server every ten minutes that the person is there. */
export function useKeepAlive(): void {
  useEffect(() => {
    const timer = setInterval(() => void sendKeepAlive(), keepAliveEvery);
    return () => clearInterval(timer);
  }, []);
}

/** Checks sign-in and stream when the machine wakes up, is online again, or the page is shown again. */
export function useWakeUp(): void {
  useEffect(() => {
    const shown = (): void => {
      if (!document.hidden) wakeUp();
    };
    window.addEventListener('online', wakeUp);
    window.addEventListener('pageshow', shown);
    document.addEventListener('visibilitychange', shown);
    return () => {
      window.removeEventListener('online', wakeUp);
      window.removeEventListener('pageshow', shown);
      document.removeEventListener('visibilitychange', shown);
    };
  }, []);
}

/** Ends the session after four hours without mouse, key, touch or scroll in any tab. */
export function useIdleLimit(): void {
  useEffect(() => {
    let written = Date.now();
    localStorage.setItem(activityKey, String(written));
    const check = (): boolean => {
      const last = Number(localStorage.getItem(activityKey));
      const idle = Date.now() - last >= idleLimit;
      if (idle) endSession('idle');
      return idle;
    };
    const touch = (): void => {
      const now = Date.now();
      // Moving a mouse fires hundreds of events; writing the time once in ten seconds is exact enough for a limit
      // of hours.
      if (now - written < 10_000) return;
      // After a long sleep of the machine, the first movement may be handled before the timer.
      if (check()) return;
      written = now;
      localStorage.setItem(activityKey, String(now));
    };
    const timer = setInterval(check, idleCheck);
    for (const name of activityEvents) {
      window.addEventListener(name, touch, { passive: true, capture: true });
    }
    return () => {
      clearInterval(timer);
      for (const name of activityEvents) window.removeEventListener(name, touch, { capture: true });
    };
  }, []);
}
