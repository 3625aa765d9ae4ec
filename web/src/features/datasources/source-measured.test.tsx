import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Facts } from '@/lib/wire';
import { resetFacts } from '@/stores/facts-store';
import { meaningState, resetMeaning } from '@/stores/meaning-store';
import { blank } from '@/testing/fixtures/blank';
import { dataSourceOf, meaningOf } from '@/testing/fixtures/wire';
import { renderPart } from '@/testing/render';
import { api, http, HttpResponse, server } from '@/testing/server';
import { SourceMeasured } from './source-measured';

beforeEach(() => {
  resetFacts();
  resetMeaning();
  vi.useFakeTimers({ shouldAdvanceTime: true });
});
afterEach(() => {
  vi.useRealTimers();
});

it('asks again while the file is being measured, and reads what the data mean then', async () => {
  let status: Facts['status'] = 'pending';
  let asked = 0;
  server.use(
    http.get(api('memory/datasources/1/facts'), () => {
      asked++;
      return HttpResponse.json({ ...blank('Facts'), status });
    }),
    http.get(api('memory/datasources/1/meaning'), () => HttpResponse.json(meaningOf({ measured: true }))),
  );
  renderPart(<SourceMeasured source={dataSourceOf({ id: 1 })} />);
  const pending = await screen.findByText(/being measured/u);
  await act(() => vi.advanceTimersByTimeAsync(3100));
  await vi.waitFor(() => expect(asked).toBe(2));
  expect(pending).toBeVisible();
  expect(meaningState.byId[1]).toBeUndefined();

  status = 'measured';
  await act(() => vi.advanceTimersByTimeAsync(3100));
  await vi.waitFor(() => expect(meaningState.byId[1]?.status).toBe('fetched'));
  expect(screen.queryByText(/being measured/u)).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(9000));
  expect(asked).toBe(3);
});
