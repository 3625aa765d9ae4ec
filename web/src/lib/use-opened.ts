import { useState, type MouseEvent } from 'react';
import type { OnDemand } from './on-demand';

/** A button that opens something which comes on demand: what it needs while that is not here, and what has come. */
export interface Opened<T> {
  parts: T | null;
  /** It was opened with a key, or by a program that reads the screen. */
  byKey: boolean;
  button: {
    onClick: (event: MouseEvent<HTMLElement>) => void;
    onPointerEnter: () => void;
    onFocus: () => void;
  };
}

/**
 * Draws a button alone until it is pressed. Its parts are fetched when somebody comes near; they take the button's
 * place only when it is pressed, for with the button its focus would go.
 */
export function useOpened<T>(module: OnDemand<T>): Opened<T> {
  const [opened, setOpened] = useState<{ parts: T; byKey: boolean } | null>(null);
  const comeNear = (): void => {
    // Pressing it loads the parts again, and a failure is shown then.
    module.load().catch(() => undefined);
  };
  return {
    parts: opened?.parts ?? null,
    byKey: opened?.byKey ?? false,
    button: {
      onClick: ({ detail }) => {
        const byKey = detail === 0;
        const parts = module.now();
        if (parts) setOpened({ parts, byKey });
        else void module.load().then((come) => setOpened({ parts: come, byKey }));
      },
      onPointerEnter: comeNear,
      onFocus: comeNear,
    },
  };
}
