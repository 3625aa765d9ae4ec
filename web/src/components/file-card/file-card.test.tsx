import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { renderView } from '@/testing/fixtures/components/render-view';
import { FileCard } from './file-card';

describe('FileCard', () => {
  it('shows name, kind, size and detail', () => {
    renderView(<FileCard name="revenue.xlsx" type="xlsx" size={48_213} detail="12,400 rows" />);
    expect(screen.getByText('revenue.xlsx')).toBeVisible();
    expect(screen.getByText('Excel workbook · 48.2 kB · 12,400 rows')).toBeVisible();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('shows a name with markup or a direction override as text', () => {
    const { container } = renderView(<FileCard name={'<img src=x>\u202egpj.exe'} type="__proto__" />);
    expect(container.querySelector('img')).toBeNull();
    expect(container.querySelector('bdi')?.textContent).toBe('<img src=x>U+202Egpj.exe');
    expect(screen.getByText('File')).toBeVisible();
  });

  it('is busy until the download settles', async () => {
    const user = userEvent.setup();
    let finish: () => void = () => undefined;
    const onDownload = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
    renderView(<FileCard name="a.csv" type="csv" onDownload={onDownload} />);
    const button = screen.getByRole('button', { name: 'Download a.csv' });
    await user.click(button);
    expect(button).toBeDisabled();
    expect(onDownload).toHaveBeenCalledOnce();
    finish();
    await waitFor(() => expect(button).toBeEnabled());
  });

  it('says when the download failed, and may be tried again', async () => {
    const user = userEvent.setup();
    renderView(
      <FileCard name="a.csv" type="csv" onDownload={() => Promise.reject(new Error('secret detail'))} />,
    );
    await user.click(screen.getByRole('button', { name: 'Download a.csv' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('The download failed. Please try again.');
    expect(screen.queryByText(/secret/u)).toBeNull();
    expect(screen.getByRole('button', { name: 'Download a.csv' })).toBeEnabled();
  });
});
