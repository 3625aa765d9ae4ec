import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { FigureView } from '@/components/transcript/turn-actions';
import { resetDisplayObjects } from '@/stores/display-objects-store';
import { assistantMessage } from '@/testing/fixtures/components';
import { renderPart } from '@/testing/render';
import { api, http, HttpResponse, problem, server } from '@/testing/server';
import { figureOrigin } from './figure-origin';
import { RenderedFigure } from './rendered-figure';

beforeEach(resetDisplayObjects);

function viewOf(changes: Partial<FigureView> = {}): FigureView {
  return {
    figure: { start: 0, end: 5, object: 'o1', row: 1, column: 1 },
    text: '1,200',
    message: assistantMessage,
    object: { id: 'o1', name: 'Sales by region.csv', type: 'csv', size: 40 },
    onShowQuery: vi.fn(),
    ...changes,
  };
}

const button = () => screen.getByRole('button', { name: '1,200: where this number comes from' });

function serve(): void {
  server.use(
    http.get(api('discourse/displayobjects/o1'), () =>
      HttpResponse.text('region,sales\nNorth,3400\nSouth,1200\n'),
    ),
    http.get(api('discourse/displayobjects/o1/content'), () =>
      HttpResponse.text('region,sales\nNorth,3400\nSouth,1200\n'),
    ),
  );
}

describe('RenderedFigure', () => {
  it('shows the row that the number was read from, once it is wanted', async () => {
    serve();
    const { user } = renderPart(<RenderedFigure view={viewOf()} />);
    await user.click(button());
    const shown = within(await screen.findByRole('dialog'));
    expect(await shown.findByText('Row 2 of Sales by region')).toBeVisible();
    expect(shown.getByText('South')).toBeVisible();
    expect(shown.getByText('1,200').closest('[data-pointed]')).not.toBeNull();
    expect(shown.queryByText('North')).toBeNull();
  });

  it('opens for a pointer that rests on it', async () => {
    serve();
    renderPart(<RenderedFigure view={viewOf()} />);
    fireEvent.pointerEnter(button(), { pointerType: 'mouse' });
    expect(await screen.findByText('South')).toBeVisible();
  });

  it('is reached by key, and leads to the query', async () => {
    serve();
    const onShowQuery = vi.fn();
    const { user } = renderPart(<RenderedFigure view={viewOf({ onShowQuery })} />);
    await user.tab();
    expect(button()).toHaveFocus();
    await user.keyboard('{Enter}');
    await user.click(await screen.findByText('Show query'));
    expect(onShowQuery).toHaveBeenCalledOnce();
    expect(screen.queryByText('Show query')).toBeNull();
  });

  it('says so when the table does not come', async () => {
    server.use(
      http.get(api('discourse/displayobjects/o1/content'), () => problem(404, 'D404', 'gone')),
      http.get(api('discourse/displayobjects/o1'), () => problem(404, 'D404', 'gone')),
    );
    const { user } = renderPart(<RenderedFigure view={viewOf()} />);
    await user.click(button());
    expect(await screen.findByText('The row could not be loaded.', {}, { timeout: 4000 })).toBeVisible();
  });

  it('says of a sum over a table of which a part is loaded why there is nothing to show', async () => {
    server.use(
      http.get(api('discourse/displayobjects/o1/content'), () =>
        HttpResponse.text('region,sales\nNorth,5\nSou', { status: 206 }),
      ),
    );
    const { figure, object } = viewOf();
    const view = viewOf({
      figure: { ...figure, row: 0, of: 'sum' },
      object: { ...object!, size: 100_000_000 },
    });
    const { user } = renderPart(<RenderedFigure view={view} />);
    await user.click(button());
    expect(await screen.findByText(/^Only the beginning of this long table is loaded/u)).toBeVisible();
    expect(screen.queryByText('The row could not be loaded.')).toBeNull();
  });

  it('says so when the turn has no such table', async () => {
    const { user } = renderPart(<RenderedFigure view={viewOf({ object: undefined })} />);
    await user.click(button());
    expect(await screen.findByText('The row could not be loaded.')).toBeVisible();
  });
});

describe('figureOrigin', () => {
  const sales = 'region,channel,sales\nNorth,Web,3400\nSouth,Web,1200\nNorth,Store,400\n';
  const object = {
    id: 'o1',
    name: 'Sales.csv',
    type: 'csv',
    columns: [
      { name: 'region', label: 'Region', format: 'text', role: 'category' },
      { name: 'channel', label: 'Channel', format: 'text', role: 'category' },
      { name: 'sales', label: 'Total sales', format: 'money', unit: 'EUR', role: 'measure' },
    ],
  } satisfies FigureView['object'];

  function originOf(figure: Partial<FigureView['figure']>, truncated = false) {
    const view = viewOf({ object });
    return figureOrigin(
      { ...view, figure: { ...view.figure, row: 0, column: 2, ...figure } },
      sales,
      truncated,
    );
  }

  const cells = (figure: Partial<FigureView['figure']>) => {
    const found = originOf(figure);
    return typeof found === 'string' ? found : found.cells.map(({ name, value }) => `${name}: ${value}`);
  };

  it('lists the cells of a sum', () => {
    expect(originOf({ of: 'sum' })).toMatchObject({
      caption: 'Total sales, added up over the 3 rows of Sales',
    });
    expect(cells({ of: 'sum' })).toEqual([
      'North, Web: €3,400',
      'South, Web: €1,200',
      'North, Store: €400',
      'Sum: €5,000',
    ]);
  });

  it('adds up a group by what its rows share', () => {
    expect(originOf({ of: 'groupSum', other: 0 })).toMatchObject({
      caption: 'Total sales, added up over the 2 rows of Sales where Region is North',
    });
    expect(cells({ of: 'groupSum' })).toEqual(['North, Web: €3,400', 'North, Store: €400', 'Sum: €3,800']);
  });

  it('says of what a share is', () => {
    expect(originOf({ of: 'share' })).toMatchObject({
      caption: '€3,400 of €5,000, which is Total sales added up over the 3 rows of Sales',
    });
    expect(cells({ of: 'share' })).toEqual(['North, Web: €3,400', 'All rows: €5,000']);
  });

  it.each([
    ['difference', 'Total sales in Sales: €3,400 less €1,200'],
    ['change', 'Total sales in Sales: the difference of €1,200 and €3,400, as a share of €3,400'],
    ['times', 'Total sales in Sales: €1,200 divided by €3,400'],
  ] as const)('shows the two cells of a %s', (of, caption) => {
    expect(originOf({ of, row: 1, other: 0 })).toMatchObject({ caption });
    expect(cells({ of, row: 1, other: 0 })).toEqual(['South, Web: €1,200', 'North, Web: €3,400']);
  });

  it('tells a number of rows', () => {
    expect(originOf({ of: 'rows' })).toEqual({ caption: 'How many rows Sales has', cells: [] });
  });

  it('tells nothing of all rows when only some are there', () => {
    expect(originOf({ of: 'sum' }, true)).toBe('cut');
    expect(originOf({ row: 9 }, true)).toBe('cut');
    expect(originOf({ row: 9 })).toBe('failed');
    expect(originOf({ of: 'times', other: 1 }, true)).not.toBe('failed');
  });
});
