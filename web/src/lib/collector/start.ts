import {
  breadcrumbsIntegration,
  browserTracingIntegration,
  captureException,
  dedupeIntegration,
  globalHandlersIntegration,
  init,
  linkedErrorsIntegration,
  makeFetchTransport,
  replayIntegration,
  type BrowserOptions,
} from '@sentry/browser';
import { guarded } from './door';
import type { CollectorSettings } from './report';

/** Which part of all sessions and traces is sent. The library decides once for a session. */
const sampleRates = {
  /** Session replays of sessions in which nothing goes wrong. */
  replaysSessionSampleRate: 0.1,
  /** Session replays of sessions with an error: the minute before it, and what follows. */
  replaysOnErrorSampleRate: 1,
  tracesSampleRate: 1,
} as const;

/** All that is set of the library. Masking comes first, and what masking does not reach is left out at the door. */
export function optionsFor({ dsn, release }: CollectorSettings): BrowserOptions {
  return {
    ...sampleRates,
    dsn,
    release,
    transport: (options) => guarded(makeFetchTransport(options)),
    // The usual ones also read the console, the browser's language and the names of what is clicked on.
    defaultIntegrations: false,
    integrations: [
      globalHandlersIntegration(),
      linkedErrorsIntegration(),
      dedupeIntegration(),
      breadcrumbsIntegration({ dom: false, xhr: false, sentry: false, fetch: true, history: true }),
      browserTracingIntegration(),
      replayIntegration({
        maskAllText: true,
        maskAllInputs: true,
        blockAllMedia: true,
        maskAttributes: ['title', 'placeholder', 'aria-label', 'alt', 'value'],
        block: ['[data-chart-frame]', 'svg'],
        networkCaptureBodies: false,
        // The door must read what it lets through, and packs it itself.
        useCompression: false,
      }),
    ],
    // Whole traces, as every collector of this protocol takes them; streams of single spans are newer.
    traceLifecycle: 'static',
    // The server has no tracing that could go on with ours: its calls carry no header of the library's.
    tracePropagationTargets: [],
    dataCollection: {
      userInfo: false,
      cookies: false,
      httpHeaders: false,
      httpBodies: [],
      urlQueryParams: false,
      stackFrameVariables: false,
      frameContextLines: 0,
    },
    sendClientReports: false,
    // It would change the messages that pages show.
    enhanceFetchErrorMessages: false,
  };
}

/** Starts the library. Returns what tells it of an error. */
export function startCollector(settings: CollectorSettings): (error: unknown) => void {
  init(optionsFor(settings));
  return (error) => void captureException(error);
}
