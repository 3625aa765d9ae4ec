import { useState, type MouseEvent } from 'react';
import type { OnDemand } from './on-demand';

/** A button for a component that is loaded on demand: the props that it needs until then, and the loaded parts. */
export interface Opened<T> {
  parts: T | null;
  /** It was opened with a key, or by a screen reader. */
  byKey: boolean;
  button: {
    onClick: (event: MouseEvent<HTMLElement>) => void;
    onPointerEnter: () => void;
    onFocus: () => void;
  };
}

/**
 * Renders only a button until it is pressed. The parts are loaded on hover or focus; they replace the button only
 * when it is pressed, because replacing the button would lose its focus.
 */
export function useOpened<T>(module: OnDemand<T>): Opened<T> {
  const [opened, setOpened] = useState<{ parts: T; byKey: boolean } | null>(null);
  const comeNear = (): void => {
    // Pressing it tries to load the parts again, and a failure is shown then.
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
