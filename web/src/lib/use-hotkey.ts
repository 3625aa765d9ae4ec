import { useEffect, useEffectEvent } from 'react';
import { registerHotkey, type Hotkey } from './hotkeys';

/**
 * Handles a key as long as the component is shown; `null` handles none. The component that registered a key last
 * gets it, so that a page takes precedence over the frame for `/`.
 */
export function useHotkey(hotkey: Hotkey | null): void {
  const run = useEffectEvent((event: KeyboardEvent) => hotkey?.run(event));
  const on = hotkey !== null;
  const keys = typeof hotkey?.keys === 'string' ? hotkey.keys : (hotkey?.keys.join('\n') ?? '');
  const { label = '', group = 'anywhere', inFields = false, inDialogs = false } = hotkey ?? {};
  useEffect(() => {
    if (!on) return undefined;
    return registerHotkey({ keys: keys.split('\n'), label, group, inFields, inDialogs, run });
  }, [on, keys, label, group, inFields, inDialogs]);
}
