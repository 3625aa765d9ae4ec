import { expect, it } from 'vitest';
import { optionsFor } from './start';

// The library allows only one replay per page, so the options are created once.
const options = optionsFor({ dsn: 'https://key@collector.example/1', release: '1.2.3' });

it('samples a session in ten, every session with an error, and all traces', () => {
  expect(options.replaysSessionSampleRate).toBe(0.1);
  expect(options.replaysOnErrorSampleRate).toBe(1);
  expect(options.tracesSampleRate).toBe(1);
  expect(options.sampleRate).toBeUndefined();
});

it('collects nothing of the person, and puts no header of its own on calls', () => {
  expect(options.dataCollection).toMatchObject({
    userInfo: false,
    cookies: false,
    httpHeaders: false,
    httpBodies: [],
  });
  expect(options.tracePropagationTargets).toEqual([]);
  expect(options.defaultIntegrations).toBe(false);
  expect(options).toMatchObject({ dsn: 'https://key@collector.example/1', release: '1.2.3' });
});
