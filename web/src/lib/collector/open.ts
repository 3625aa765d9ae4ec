import { afterFirstLoad } from '@/lib/after-first-load';
import { reportError, reportTo, type CollectorSettings } from './report';

const onError = ({ error }: ErrorEvent): void => reportError(error);
const onRejection = ({ reason }: PromiseRejectionEvent): void => reportError(reason);

function stopHolding(): void {
  window.removeEventListener('error', onError);
  window.removeEventListener('unhandledrejection', onRejection);
}

async function start(settings: CollectorSettings): Promise<void> {
  const { startCollector } = await import('./start');
  stopHolding();
  reportTo(startCollector(settings));
}

let isOpen = false;

/** Brings the collector's library when the first page is in use, and gives it the errors that it has missed. */
export function openCollector(settings: CollectorSettings): void {
  // The library is made for one start of a page.
  if (isOpen) return;
  isOpen = true;
  window.addEventListener('error', onError);
  window.addEventListener('unhandledrejection', onRejection);
  // Without it, which a blocker may hold back, the page is as good as with it.
  afterFirstLoad(() => void start(settings).catch(stopHolding));
}
