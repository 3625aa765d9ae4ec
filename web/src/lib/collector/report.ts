import { afterFirstLoad } from '@/lib/after-first-load';

/** What an operator has set: where errors, traces and replays go, and of which release they are. */
export interface CollectorSettings {
  dsn: string;
  release: string;
}

/** More than these many errors before the library is there are one error over and over. */
const most = 10;

const held: unknown[] = [];
let tell = (error: unknown): void => {
  if (held.length < most) held.push(error);
};

/** Tells the collector, where there is one, of an error that a page has caught. */
export function reportError(error: unknown): void {
  tell(error);
}

const onError = ({ error }: ErrorEvent): void => reportError(error);
const onRejection = ({ reason }: PromiseRejectionEvent): void => reportError(reason);

/**
 * Brings the collector's library when the first page is in use, and gives it the errors that it has missed. For an
 * operator who has configured none this is not called and nothing is fetched. Returns what takes it back until then.
 */
export function openCollector(settings: CollectorSettings): () => void {
  window.addEventListener('error', onError);
  window.addEventListener('unhandledrejection', onRejection);
  const stop = (): void => {
    window.removeEventListener('error', onError);
    window.removeEventListener('unhandledrejection', onRejection);
  };
  const start = async (): Promise<void> => {
    const { startCollector } = await import('./start');
    stop();
    tell = startCollector(settings);
    for (const error of held.splice(0)) tell(error);
  };
  // Without the library, which a blocker may hold back, the page is as good as with it.
  const cancel = afterFirstLoad(() => void start().catch(stop));
  return () => {
    cancel();
    stop();
  };
}
