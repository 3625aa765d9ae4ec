import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { DisplayContent } from '@/lib/display-content';
import { plainLogs, pythonCode, smallCsv } from '../../testing/fixtures/components';
import { renderView } from '../../testing/fixtures/components/render-view';
import { DisplayObjectView } from './display-object-view';

function ready(text: string): DisplayContent {
  return { status: 'ready', text };
}

function object(type: string) {
  return { id: 'o', name: `thing.${type}`, type, size: 1000 };
}

describe('DisplayObjectView', () => {
  it('asks once for content that it needs and does not have', () => {
    const onLoad = vi.fn();
    const csv = object('csv');
    const { rerender } = renderView(
      <DisplayObjectView object={csv} content={{ status: 'idle' }} onLoad={onLoad} />,
    );
    rerender(<DisplayObjectView object={csv} content={{ status: 'loading' }} onLoad={onLoad} />);
    expect(onLoad).toHaveBeenCalledExactlyOnceWith(csv);
  });

  it('asks for nothing when a download is all there is', () => {
    const onLoad = vi.fn();
    renderView(<DisplayObjectView object={object('pptx')} content={{ status: 'idle' }} onLoad={onLoad} />);
    expect(onLoad).not.toHaveBeenCalled();
    expect(screen.getByText('Presentation · 1 kB')).toBeVisible();
  });

  it('shows a table', async () => {
    renderView(<DisplayObjectView object={object('csv')} content={ready(smallCsv)} />);
    expect(await screen.findByRole('gridcell', { name: 'Zürich' })).toBeVisible();
  });

  it('titles a table with words, and its file with the ending too', async () => {
    const csv = { ...object('csv'), name: 'Total sales by city.csv' };
    renderView(<DisplayObjectView object={csv} content={ready(smallCsv)} onDownload={vi.fn()} />);
    expect(await screen.findByRole('grid', { name: 'Total sales by city' })).toBeVisible();
    expect(screen.queryByText(/\.csv/u)).toBeNull();
    expect(screen.getByRole('button', { name: 'Download Total sales by city.csv' })).toBeVisible();
  });

  it('shows logs folded and code open', async () => {
    renderView(<DisplayObjectView object={object('logs')} content={ready(plainLogs)} />);
    renderView(<DisplayObjectView object={object('python')} content={ready(pythonCode)} />);
    expect(await screen.findByRole('button', { name: /thing\.logs/u })).toHaveAttribute(
      'aria-expanded',
      'false',
    );
    expect(screen.getByRole('group', { name: 'thing.python' })).toHaveTextContent('import pandas');
  });

  it('names the language that code is really in', () => {
    const sql = { ...object('python'), language: 'sql' };
    renderView(<DisplayObjectView object={sql} content={ready('SELECT 1')} />);
    expect(screen.getByText('SQL')).toBeVisible();
  });

  it('says what the spec says about a chart that is none', () => {
    renderView(<DisplayObjectView object={object('highcharts')} content={ready('{')} />);
    expect(screen.getByText('Chart failed to render')).toBeVisible();
  });

  it('I05: shows an image as an image, and never markup in its place', () => {
    const { container } = renderView(
      <DisplayObjectView object={object('png')} content={{ status: 'ready', imageUrl: 'blob:x' }} />,
    );
    expect(screen.getByRole('img', { name: 'thing.png' })).toHaveAttribute('src', 'blob:x');
    renderView(<DisplayObjectView object={object('gif')} content={ready('<svg onload=alert(1)>')} />);
    expect(screen.getByText('GIF image · 1 kB')).toBeVisible();
    expect(container.ownerDocument.querySelector('svg[onload]')).toBeNull();
  });

  it('falls back to a file for a type it does not know, whatever its name', () => {
    for (const type of ['exe', '__proto__', 'constructor']) {
      const { unmount } = renderView(<DisplayObjectView object={object(type)} content={ready('x')} />);
      expect(screen.getByText('File · 1 kB')).toBeVisible();
      unmount();
    }
  });

  it('says when content could not be loaded, and tries again when it is asked to', async () => {
    const onLoad = vi.fn();
    const csv = object('csv');
    renderView(<DisplayObjectView object={csv} content={{ status: 'failed' }} onLoad={onLoad} />);
    expect(screen.getByRole('alert')).toHaveTextContent('thing.csv could not be loaded.');
    expect(onLoad).not.toHaveBeenCalled();
    await userEvent.setup().click(screen.getByRole('button', { name: 'Try again' }));
    expect(onLoad).toHaveBeenCalledExactlyOnceWith(csv);
  });

  it('downloads', async () => {
    const user = userEvent.setup();
    const onDownload = vi.fn();
    const csv = object('csv');
    renderView(<DisplayObjectView object={csv} content={ready(smallCsv)} onDownload={onDownload} />);
    await user.click(screen.getByRole('button', { name: 'Download thing.csv' }));
    expect(onDownload).toHaveBeenCalledExactlyOnceWith(csv);
  });
});
