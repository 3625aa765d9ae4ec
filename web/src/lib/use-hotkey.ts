import { useEffect, useEffectEvent } from 'react';
import { registerHotkey, type Hotkey } from './hotkeys';

/**
 * Listens to a key as long as the part is shown; `null` listens to nothing. The last part that asked for a key has it,
 * so that a page takes `/` over from the frame.
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
