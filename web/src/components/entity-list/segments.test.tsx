import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderPart } from '@/testing/render';
import { Segments } from './segments';

const segments = ['All', 'Favorite', 'Organization'].map((label) => ({ value: label.toLowerCase(), label }));

describe('Segments', () => {
  it('says which was chosen', async () => {
    const onChange = vi.fn();
    const { user } = renderPart(
      <Segments segments={segments} value="all" label="Filter" onChange={onChange} />,
    );
    await user.click(screen.getByRole('radio', { name: 'Favorite' }));
    expect(onChange).toHaveBeenCalledExactlyOnceWith('favorite');
  });

  it('does not choose one that is disabled', async () => {
    const onChange = vi.fn();
    const { user } = renderPart(
      <Segments
        segments={[...segments, { value: 'shared', label: 'Shared', disabled: true }]}
        value="all"
        label="Filter"
        onChange={onChange}
      />,
    );
    const shared = screen.getByRole('radio', { name: 'Shared' });
    expect(shared).toHaveAttribute('aria-disabled', 'true');
    await user.click(shared);
    expect(onChange).not.toHaveBeenCalled();
  });

  it('scrolls by 200 pixels towards those that are hidden', async () => {
    vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockReturnValue(600);
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(300);
    const scrollBy = vi.fn();
    Element.prototype.scrollBy = scrollBy;
    const { user, container } = renderPart(
      <Segments segments={segments} value="all" label="Filter" onChange={vi.fn()} />,
    );
    expect(screen.queryByRole('button', { name: 'Scroll back' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Scroll forward' }));
    expect(scrollBy).toHaveBeenCalledExactlyOnceWith({ left: 200, behavior: 'smooth' });

    const box = container.querySelector('.scroller')!;
    box.scrollLeft = 300;
    fireEvent.scroll(box);
    expect(screen.queryByRole('button', { name: 'Scroll forward' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Scroll back' }));
    expect(scrollBy).toHaveBeenLastCalledWith({ left: -200, behavior: 'smooth' });
  });
});
