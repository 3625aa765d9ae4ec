import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { FigureView } from '@/components/transcript/turn-actions';
import { resetDisplayObjects } from '@/stores/display-objects-store';
import { assistantMessage } from '@/testing/fixtures/components';
import { renderPart } from '@/testing/render';
import { api, http, HttpResponse, problem, server } from '@/testing/server';
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

  it('says so where the table does not come', async () => {
    server.use(
      http.get(api('discourse/displayobjects/o1/content'), () => problem(404, 'D404', 'gone')),
      http.get(api('discourse/displayobjects/o1'), () => problem(404, 'D404', 'gone')),
    );
    const { user } = renderPart(<RenderedFigure view={viewOf()} />);
    await user.click(button());
    expect(await screen.findByText('The row could not be loaded.', {}, { timeout: 4000 })).toBeVisible();
  });

  it('says so where the turn has no such table', async () => {
    const { user } = renderPart(<RenderedFigure view={viewOf({ object: undefined })} />);
    await user.click(button());
    expect(await screen.findByText('The row could not be loaded.')).toBeVisible();
  });
});
