import type { toast } from 'sonner';

type Toast = typeof toast;

let resolveToasts: (toasts: Toast) => void = () => undefined;
const mountedToasts = new Promise<Toast>((resolve) => (resolveToasts = resolve));
const listeners = new Set<() => void>();
let wanted = false;

/**
 * Shows a message in the toaster. The toaster is loaded when it is first needed, which saves 8 kB in the first load
 * of the app; messages from before are shown when it is loaded, in order.
 */
export function withToasts(say: (toasts: Toast) => void): void {
  wantToasts();
  void mountedToasts.then(say);
}

/** Causes the toaster to be loaded: for example before the connection is lost, which it will have to report. */
export function wantToasts(): void {
  if (wanted) return;
  wanted = true;
  for (const listener of listeners) listener();
}

/** Whether the toaster is needed, as an external store of React. */
export const toastsWanted = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: (): boolean => wanted,
};

/** Called when the toaster is mounted. */
export function toasterMounted(toasts: Toast): void {
  resolveToasts(toasts);
}
