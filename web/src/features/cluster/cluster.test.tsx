import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Cluster, ClusterNode } from '@/lib/wire';
import { resetCluster } from '@/stores/cluster-store';
import { blank } from '@/testing/fixtures/blank';
import { renderAt } from '@/testing/render';
import { api, http, HttpResponse, problem, server } from '@/testing/server';
import { Component as ClusterPage } from './cluster-page';

// The drawing has its own test; this one checks what it is given to draw.
vi.mock('@/components/chart/trend-chart', () => ({
  TrendChart: ({
    title,
    description,
    lines,
  }: {
    title: string;
    description: string;
    lines: { points: unknown[] }[];
  }) => (
    <figure aria-label={title} data-points={lines.map(({ points }) => points.length).join()}>
      {description}
    </figure>
  ),
}));

const figures = {
  ...blank('NodeFigures'),
  version: '2026.11.1',
  started: '2026-11-20T08:00:00.000Z',
  conversations: 1200,
  sessions: 40,
  tasks: 3,
  sockets: 45,
  running: 12,
  clockAhead: -0.04,
};

const nodeOf = (name: string, changes: Partial<ClusterNode> = {}): ClusterNode => ({
  node: `${name}@1`,
  name,
  leaseLeft: 4.2,
  seenBy: [],
  silentFor: [],
  reportAge: 1.1,
  figures,
  ...changes,
});

/** Serves one answer until it is replaced. `count` says how often it was asked. */
function serve(answer: ClusterNode[] | 'failure') {
  const serving = { answer, count: 0 };
  server.use(
    http.get(api('cluster/nodes'), () => {
      serving.count++;
      if (serving.answer === 'failure') return problem(503, 'unavailable', 'No');
      return HttpResponse.json({
        at: '2026-11-27T12:00:00.000Z',
        nodes: serving.answer,
      } satisfies Cluster);
    }),
  );
  return serving;
}

const open = () => renderAt('/cluster', { '/cluster': <ClusterPage /> });
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const cells = (name: string) =>
  within(screen.getByRole('row', { name: new RegExp(`^${name} `, 'u') }))
    .getAllByRole('cell')
    .map((cell) => cell.textContent);

function show(visible: boolean): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visible ? 'visible' : 'hidden');
  document.dispatchEvent(new Event('visibilitychange'));
}

/** Lets the test decide when the page asks again. */
function stopTime(): void {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-27T12:00:00.000Z') });
}

beforeEach(resetCluster);

afterEach(() => vi.restoreAllMocks());

it('shows each node as it says and as the others see it', async () => {
  serve([
    nodeOf('one', { seenBy: ['two'] }),
    nodeOf('two', { seenBy: ['one'], figures: { ...figures, draining: true } }),
  ]);
  open();
  await screen.findByRole('row', { name: /^one /u });
  expect(cells('one')).toEqual(
    [
      'Serving',
      '4.2s',
      'Yes',
      '1 of 1',
      '1,200',
      '40',
      '3',
      '45',
      '12',
      '0.0s',
      '2026.11.1',
      'last week',
      '1.1s',
    ].map((text) => (text === 'last week' ? (expect.any(String) as string) : text)),
  );
  expect(cells('two')[0]).toBe('Draining');
  expect(screen.getByRole('status', { name: 'What is not as it should be' })).toBeEmptyDOMElement();
});

it('says what is not as it should be', async () => {
  const { figures: _, ...earlier } = nodeOf('three', { reportAge: null });
  serve([
    nodeOf('one', { silentFor: ['two', 'three'], reportAge: 7 }),
    nodeOf('two', { leaseLeft: -3, figures: { ...figures, clockAhead: -8 } }),
    earlier,
  ]);
  open();
  await screen.findByText('one does not answer two and three.');
  expect(
    within(screen.getByRole('status'))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'one does not answer two and three.',
    'The figures of one are 7.0s old.',
    'The lease of two ended 3.0s ago. The other nodes take over what it owned.',
    'The clock of two differs from the database’s by 8.0s. Scheduled tasks pause at a minute.',
    'three has not reported. It runs an earlier release.',
  ]);
  expect(cells('one').slice(0, 3)).toEqual(['Not answering', '4.2s', 'Not two and three']);
  expect(cells('two')[0]).toBe('Lease ended');
  expect(cells('three').slice(0, 1).concat(cells('three').slice(4))).toEqual([
    'No figures',
    ...Array.from({ length: 9 }, () => '–'),
  ]);
});

it('draws a line for each node, which grows while the page is visible', async () => {
  stopTime();
  const asked = serve([nodeOf('one')]);
  open();
  const running = await screen.findByRole('figure', { name: 'Answers that it is making' });
  expect(running).toHaveTextContent('Answers that it is making, the last minutes. one: 12');
  asked.answer = [nodeOf('one', { figures: { ...figures, running: 3 } }), nodeOf('two')];
  await pass(2_000);
  await waitFor(() => expect(running).toHaveTextContent('one: 3, two: 12'));
  expect(running).toHaveAttribute('data-points', '2,2');
  expect(screen.getAllByRole('figure').map((figure) => figure.ariaLabel)).toHaveLength(5);

  show(false);
  await pass(10_000);
  const before = asked.count;
  await pass(60_000);
  expect(asked.count).toBe(before);
  show(true);
  await waitFor(() => expect(asked.count).toBe(before + 1));
  // The time in which nobody looked is a gap, and no line across it.
  await waitFor(() => expect(running.dataset['points']).toBe(`${before + 2},${before + 2}`));
});

it('keeps the figures when a later call fails, and says of when they are', async () => {
  stopTime();
  const serving = serve([nodeOf('one')]);
  open();
  await screen.findByRole('row', { name: /^one /u });
  serving.answer = 'failure';
  await pass(2_000);
  expect(await screen.findByRole('alert')).toHaveTextContent(/These figures are of 1?\d:00:0\d/u);
  expect(screen.getByRole('row', { name: /^one /u })).toBeVisible();
  serving.answer = [nodeOf('one')];
  await pass(2_000);
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

it('offers another try when nothing could be loaded', async () => {
  const serving = serve('failure');
  const { user } = open();
  await screen.findByRole('alert');
  // A page that is not visible does not try by itself.
  show(false);
  serving.answer = [nodeOf('one')];
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('row', { name: /^one /u })).toBeVisible();
});

it('says that there are no nodes', async () => {
  serve([]);
  open();
  expect(await screen.findByRole('heading', { name: 'No nodes' })).toBeVisible();
});

it('shows them one below the other on a phone', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      ({
        matches: query.includes('599px'),
        addEventListener: vi.fn(),
        removeEventListener: vi.fn(),
      }) as never,
  );
  serve([nodeOf('one')]);
  open();
  const card = within(await screen.findByRole('list', { name: 'Nodes' })).getByRole('listitem');
  expect(card).toHaveTextContent(/one.*Serving.*Lease left4\.2s.*Running12/u);
  expect(screen.queryByRole('table')).toBeNull();
});
