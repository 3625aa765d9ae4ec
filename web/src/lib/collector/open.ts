import { afterFirstLoad } from '@/lib/after-first-load';
import { reportError, reportTo, type CollectorSettings } from './report';

const onError = ({ error }: ErrorEvent): void => reportError(error);
const onRejection = ({ reason }: PromiseRejectionEvent): void => reportError(reason);

function stopCollecting(): void {
  window.removeEventListener('error', onError);
  window.removeEventListener('unhandledrejection', onRejection);
}

async function start(settings: CollectorSettings): Promise<void> {
  const { startCollector } = await import('./start');
  stopCollecting();
  reportTo(startCollector(settings));
}

let isOpen = false;

/** Loads the collector's library when the first page is in use, and passes it the errors from before. */
export function openCollector(settings: CollectorSettings): void {
  // The library supports only one start per page.
  if (isOpen) return;
  isOpen = true;
  window.addEventListener('error', onError);
  window.addEventListener('unhandledrejection', onRejection);
  // A blocker may prevent it from loading; the page works without it.
  afterFirstLoad(() => void start(settings).catch(stopCollecting));
}
