import { beforeEach, expect, it, vi } from 'vitest';

const told: unknown[] = [];
const startCollector = vi.fn(() => (error: unknown) => void told.push(error));
vi.mock('./start', () => ({ startCollector }));

// Errors that are thrown here on purpose are caught, so that the test runner does not report them.
window.addEventListener('error', () => undefined);

beforeEach(() => {
  vi.resetModules();
  startCollector.mockClear();
  told.length = 0;
});

const settings = { dsn: 'https://key@collector.example/1', release: '1.2.3' };

function fail(error: Error): void {
  window.dispatchEvent(new ErrorEvent('error', { error }));
}

it('loads the library when the page is in use, and gives it what it has missed', async () => {
  const { reportError } = await import('./report');
  const { openCollector } = await import('./open');
  openCollector(settings);
  openCollector(settings);
  const [thrown, caught, later] = [new Error('thrown'), new Error('caught'), new Error('later')];
  fail(thrown);
  reportError(caught);
  expect(startCollector).not.toHaveBeenCalled();
  window.dispatchEvent(new Event('pointermove'));
  await vi.waitFor(() => expect(told).toEqual([thrown, caught]));
  expect(startCollector).toHaveBeenCalledExactlyOnceWith(settings);
  // From now on the library sees thrown errors by itself, and errors that a page has caught are passed to it.
  fail(later);
  reportError(later);
  expect(told).toEqual([thrown, caught, later]);
});

it('stores ten errors and no more of one that comes over and over', async () => {
  const { reportError } = await import('./report');
  const { openCollector } = await import('./open');
  for (let n = 0; n < 50; n++) reportError(n);
  openCollector(settings);
  window.dispatchEvent(new Event('pointermove'));
  await vi.waitFor(() => expect(told).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
});

it('loads nothing before the page is in use, or when it is not opened', async () => {
  const { reportError } = await import('./report');
  const { openCollector } = await import('./open');
  reportError(new Error('held'));
  window.dispatchEvent(new Event('pointermove'));
  await vi.dynamicImportSettled();
  expect(startCollector).not.toHaveBeenCalled();
  openCollector(settings);
  await vi.dynamicImportSettled();
  expect(startCollector).not.toHaveBeenCalled();
});
