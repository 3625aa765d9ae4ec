import type { toast } from 'sonner';

type Toast = typeof toast;

let bring: (toasts: Toast) => void = () => undefined;
const brought = new Promise<Toast>((resolve) => (bring = resolve));
const listeners = new Set<() => void>();
let wanted = false;

/**
 * Says something through the toaster. It is loaded when it is first wanted, which takes 8 kB from the first page of
 * all; what is said until it is there is shown then, in order.
 */
export function withToasts(say: (toasts: Toast) => void): void {
  wantToasts();
  void brought.then(say);
}

/** Has the toaster loaded: before the connection is lost, for instance, about which it will have to say something. */
export function wantToasts(): void {
  if (wanted) return;
  wanted = true;
  for (const listener of listeners) listener();
}

/** Whether somebody wants the toaster, as an external store of React. */
export const toastsWanted = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: (): boolean => wanted,
};

/** The toaster is on the page. */
export function toasterMounted(toasts: Toast): void {
  bring(toasts);
}
