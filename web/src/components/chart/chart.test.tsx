import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  columnChart,
  cutBaseChart,
  figureChart,
  hostileChartText,
  manyProductsChart,
} from '@/testing/fixtures/components';
import { dangerousElements, renderView } from '@/testing/fixtures/components/render-view';
import { Asking } from '@/lib/asking';
import { Chart } from './chart';

// jsdom cannot lay out a drawing, so the test checks the options for the library; the end-to-end tests draw it.
const library = vi.hoisted(() => ({ chart: vi.fn(), destroy: vi.fn() }));
vi.mock('./highcharts', () => ({ chart: library.chart, addEvent: () => undefined }));

describe('Chart', () => {
  beforeEach(() => {
    library.chart.mockReset().mockImplementation((box: HTMLElement) => {
      box.innerHTML = '<svg class="highcharts-root" width="400" height="320"></svg>';
      return { destroy: library.destroy };
    });
    library.destroy.mockReset();
  });

  it('draws with a title and a description for those who cannot see it', async () => {
    renderView(<Chart config={columnChart} />);
    expect(screen.getByText('Revenue by month')).toBeVisible();
    expect(screen.getByRole('img', { name: /^Column chart, Revenue by month\. 2 series/u })).toBeVisible();
    await waitFor(() => expect(library.chart).toHaveBeenCalledOnce());
  });

  it('I03: shows a hostile title as text and hands nothing of the rest on', async () => {
    const { container } = renderView(<Chart config={hostileChartText} />);
    expect(screen.getByText('<img src=x onerror=window.__pwned=1>Revenue')).toBeVisible();
    await waitFor(() => expect(library.chart).toHaveBeenCalledOnce());
    expect(JSON.stringify(library.chart.mock.calls[0]?.[1])).not.toMatch(
      /evil\.example\/|__pwned=1\}|function/u,
    );
    expect(dangerousElements(container.querySelector('figure')!)).toEqual([]);
  });

  it.each([
    ['a broken configuration', '{nope'],
    ['too many points', { series: [{ data: Array.from({ length: 10_001 }, () => 1) }] }],
    ['NaN', { series: [{ data: [Number.NaN] }] }],
  ])('I04: says what the spec says for %s', (_, config) => {
    renderView(<Chart config={config} />);
    expect(screen.getByText('Chart failed to render')).toBeVisible();
    expect(screen.getByText('There was an error loading this chart. Please try again later.')).toBeVisible();
    expect(library.chart).not.toHaveBeenCalled();
  });

  it('says the same when the library stumbles, and recovers with another configuration', async () => {
    library.chart.mockImplementationOnce(() => {
      throw new Error('Highcharts error #10');
    });
    const { rerender } = renderView(<Chart config={columnChart} />);
    expect(await screen.findByText('Chart failed to render')).toBeVisible();
    expect(screen.queryByText(/#10/u)).toBeNull();
    rerender(<Chart config={{ ...columnChart }} />);
    expect(await screen.findByRole('img')).toBeVisible();
  });

  it('shows its data as a table and back', async () => {
    const user = userEvent.setup();
    renderView(<Chart config={columnChart} />);
    await user.click(screen.getByRole('radio', { name: 'Table' }));
    expect(await screen.findByRole('columnheader', { name: 'Online' })).toBeVisible();
    expect(screen.getByText('82,300 €')).toBeVisible();
    await user.click(screen.getByRole('radio', { name: 'Chart' }));
    expect(screen.getByRole('img')).toBeVisible();
  });

  it('saves its data as CSV without asking any server', async () => {
    const user = userEvent.setup();
    const blobs: Blob[] = [];
    vi.stubGlobal(
      'URL',
      class extends URL {
        static override createObjectURL = (blob: Blob) => (blobs.push(blob), 'blob:x');
        static override revokeObjectURL = () => undefined;
      },
    );
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const onNotice = vi.fn();
    renderView(<Chart config={columnChart} onNotice={onNotice} />);
    await user.click(screen.getByRole('button', { name: 'Download chart' }));
    await user.click(await screen.findByRole('menuitem', { name: 'CSV data' }));
    await waitFor(() =>
      expect(onNotice).toHaveBeenCalledExactlyOnceWith({ tone: 'success', text: 'File downloaded' }),
    );
    expect(clicked).toHaveBeenCalledOnce();
    expect(blobs[0]?.type).toBe('text/csv');
    vi.unstubAllGlobals();
  });

  it('is drawn in another form, and its table stays', async () => {
    const user = userEvent.setup();
    renderView(<Chart config={columnChart} />);
    await waitFor(() => expect(library.chart).toHaveBeenCalledOnce());
    await user.click(screen.getByRole('button', { name: 'Form of the chart' }));
    const forms = await screen.findAllByRole('menuitemradio');
    expect(forms.map(({ textContent }) => textContent)).toEqual(['Columns', 'Bars']);
    expect(forms[0]).toBeChecked();
    await user.click(forms[1]!);
    await waitFor(() => expect(library.chart.mock.lastCall?.[1]).toMatchObject({ chart: { type: 'bar' } }));
    expect(screen.getByRole('img', { name: /^Bar chart, Revenue by month/u })).toBeVisible();
    await user.click(screen.getByRole('radio', { name: 'Table' }));
    expect(await screen.findByText('82,300 €')).toBeVisible();
  });

  describe('of the last answer', () => {
    const regions = {
      type: 'bar',
      xAxis: { categories: ['Lamps', 'Chairs'] },
      series: [{ column: 'revenue', data: [2, 1] }],
      parley: {
        x: 'product',
        columns: [
          { name: 'product', label: 'Product', format: 'text', role: 'category' },
          { name: 'revenue', label: 'Revenue', format: 'number', role: 'measure', adds: true },
        ],
      },
    };
    const chairs = 'Of those, show the rows where product is “Chairs”';

    /** Presses a mark as the library reports it. */
    function press(point: number): void {
      const [, options] = library.chart.mock.lastCall as [
        unknown,
        {
          plotOptions: { series: { point: { events: { click: (this: unknown, event: unknown) => void } } } };
        },
      ];
      act(() => {
        options.plotOptions.series.point.events.click.call(
          { index: point, series: { index: 0 } },
          { clientX: 40, clientY: 50 },
        );
      });
    }

    it('asks for the rows of a bar that is pressed', async () => {
      const user = userEvent.setup();
      const onAsk = vi.fn();
      renderView(
        <Asking value={onAsk}>
          <Chart config={regions} />
        </Asking>,
      );
      await waitFor(() => expect(library.chart).toHaveBeenCalledOnce());
      press(1);
      expect(await screen.findByRole('dialog', { name: 'Chairs' })).toBeVisible();
      await user.keyboard('{Escape}');
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      press(1);
      await user.click(await screen.findByRole('button', { name: 'Show the rows' }));
      expect(onAsk).toHaveBeenCalledExactlyOnceWith(chairs);
      expect(screen.queryByRole('dialog')).toBeNull();
      expect(library.chart, 'a press draws nothing again').toHaveBeenCalledOnce();
    });

    it('asks for them from the menu, by keys alone', async () => {
      const user = userEvent.setup();
      const onAsk = vi.fn();
      renderView(
        <Asking value={onAsk}>
          <Chart config={regions} />
        </Asking>,
      );
      screen.getByRole('button', { name: 'Show the rows of…' }).focus();
      await user.keyboard('{Enter}');
      expect(await screen.findByRole('menuitem', { name: 'Lamps' })).toBeVisible();
      screen.getByRole('menuitem', { name: 'Chairs' }).focus();
      await user.keyboard('{Enter}');
      expect(onAsk).toHaveBeenCalledExactlyOnceWith(chairs);
    });

    it('offers nothing where nobody can ask', async () => {
      renderView(<Chart config={regions} />);
      await waitFor(() => expect(library.chart).toHaveBeenCalledOnce());
      expect(library.chart.mock.lastCall?.[1]).not.toHaveProperty('plotOptions.series.point');
      expect(screen.queryByRole('button', { name: 'Show the rows of…' })).toBeNull();
    });
  });

  it('shows a large figure when there is one number', () => {
    renderView(<Chart config={figureChart} />);
    expect(screen.getByText('€1,754,310.30')).toBeVisible();
    expect(library.chart).not.toHaveBeenCalled();
  });

  it('says that an axis does not begin at zero, and which period is not complete', () => {
    renderView(<Chart config={cutBaseChart} />);
    expect(screen.getByText('The axis does not begin at zero. Nov 2026 is not complete.')).toBeVisible();
  });

  it('says below the drawing how much the others are where they are not drawn, and shows them when asked to', async () => {
    const user = userEvent.setup();
    const categories = Array.from({ length: 60 }, (_, place) => `Product number ${place + 1}`);
    const data = categories.map((_, place) => (place < 15 ? 2_000 : 1_000));
    const config = {
      ...manyProductsChart,
      xAxis: { categories },
      series: [{ column: 'total_net_sales', data }],
    };
    renderView(<Chart config={config} />);
    expect(screen.getByText('45 others: €45k in all.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Show all 60' }));
    expect(screen.queryByText(/in all/u)).toBeNull();
  });

  it('draws all bars when asked to, and fewer again', async () => {
    const user = userEvent.setup();
    renderView(<Chart config={manyProductsChart} />);
    const drawnBars = () => {
      const [, options] = library.chart.mock.lastCall as [unknown, { xAxis: { categories: string[] } }];
      return options.xAxis.categories.length;
    };
    await waitFor(() => expect(drawnBars()).toBe(16));
    await user.click(screen.getByRole('button', { name: 'Show all 27' }));
    await waitFor(() => expect(drawnBars()).toBe(27));
    await user.click(screen.getByRole('button', { name: 'Show fewer' }));
    await waitFor(() => expect(drawnBars()).toBe(16));
  });

  it('shows the table beside the drawing when there is room', async () => {
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1_080);
    renderView(<Chart config={manyProductsChart} />);
    expect(screen.getByRole('radio', { name: 'Both' })).toBeChecked();
    expect(screen.getByRole('img')).toBeVisible();
    expect(await screen.findByRole('grid')).toHaveAttribute('aria-rowcount', '28');
    vi.restoreAllMocks();
  });

  it('takes the drawing down when it goes', async () => {
    const { unmount } = renderView(<Chart config={columnChart} />);
    await waitFor(() => expect(library.chart).toHaveBeenCalledOnce());
    unmount();
    expect(library.destroy).toHaveBeenCalledOnce();
  });
});
