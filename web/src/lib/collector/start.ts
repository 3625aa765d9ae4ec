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

/** The share of sessions and traces that is sent. The library decides once per session. */
const sampleRates = {
  /** Replays of sessions without errors. */
  replaysSessionSampleRate: 0.1,
  /** Replays of sessions with an error: the minute before it, and what follows. */
  replaysOnErrorSampleRate: 1,
  tracesSampleRate: 1,
} as const;

/** All options of the library. Masking comes first, and what masking does not cover is removed in `guarded`. */
export function optionsFor({ dsn, release }: CollectorSettings): BrowserOptions {
  return {
    ...sampleRates,
    dsn,
    release,
    transport: (options) => guarded(makeFetchTransport(options)),
    // The default ones also read the console, the browser's language and the names of clicked elements.
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
        // `guarded` must read what it sends, and compresses it itself.
        useCompression: false,
      }),
    ],
    // Complete traces, which every collector of this protocol accepts; streams of single spans are newer.
    traceLifecycle: 'static',
    // The server has no tracing that could continue ours, so its calls carry no header of the library.
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

/** Starts the library. Returns a function that reports an error to it. */
export function startCollector(settings: CollectorSettings): (error: unknown) => void {
  init(optionsFor(settings));
  return (error) => void captureException(error);
}
