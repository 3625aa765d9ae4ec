import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '@/testing/render';
import { SortableList } from './sortable-list';

function Example({ fixed = false }: { fixed?: boolean }) {
  const [names, setNames] = useState(['Load', 'Clean', 'Sum up']);
  return (
    <SortableList
      label="Steps"
      fixed={fixed}
      entries={names.map((name) => ({ id: name, name }))}
      onMove={(from, to) => {
        const next = [...names];
        next.splice(to, 0, ...next.splice(from, 1));
        setNames(next);
      }}
    >
      {(entry, index, handle) => (
        <article aria-label={entry.name}>
          {handle}
          <input aria-label={`Name ${index + 1}`} />
          <textarea aria-label={`Text ${index + 1}`} />
        </article>
      )}
    </SortableList>
  );
}

const order = (): (string | null)[] =>
  screen.getAllByRole('article').map((card) => card.getAttribute('aria-label'));

/** What has been announced since, by any live region. */
const said = (): string =>
  screen
    .getAllByRole('status')
    .map((region) => region.textContent)
    .join('');

// jsdom has no layout; the cards are placed 100 px below each other.
beforeEach(() => {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const item = this.closest('li');
    const index = item ? [...(item.parentElement?.children ?? [])].indexOf(item) : 0;
    return new DOMRect(0, index * 100, 300, 90);
  });
});

describe('SortableList', () => {
  it('moves an entry by Alt and an arrow, says where it is, and keeps the focus', async () => {
    const { user } = renderPart(<Example />);
    const handle = screen.getByRole('button', { name: 'Move Clean' });
    handle.focus();
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
    expect(order()).toEqual(['Clean', 'Load', 'Sum up']);
    expect(screen.getByRole('button', { name: 'Move Clean' })).toHaveFocus();
    expect(said()).toBe('Clean moved to position 1 of 3.');
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
    expect(order()).toEqual(['Clean', 'Load', 'Sum up']);
    await user.keyboard('{Alt>}{ArrowDown}{ArrowDown}{/Alt}');
    expect(order()).toEqual(['Load', 'Sum up', 'Clean']);
  });

  it('moves the entry that a short field is in, and leaves a long text alone', async () => {
    const { user } = renderPart(<Example />);
    await user.click(screen.getByRole('textbox', { name: 'Name 3' }));
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
    expect(order()).toEqual(['Load', 'Sum up', 'Clean']);
    await user.click(screen.getByRole('textbox', { name: 'Text 3' }));
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
    expect(order()).toEqual(['Load', 'Sum up', 'Clean']);
  });

  it('picks up, moves and puts down by the keys of the handle, and says each', async () => {
    const { user } = renderPart(<Example />);
    const handle = screen.getByRole('button', { name: 'Move Load' });
    expect(handle).toHaveAccessibleDescription(/^Press Space or Enter to pick it up/u);
    handle.focus();
    await user.keyboard(' ');
    await vi.waitFor(() => expect(said()).toBe('Picked up Load, position 1 of 3.'));
    await user.keyboard('{ArrowDown}');
    await vi.waitFor(() => expect(said()).toBe('Load is now at position 2 of 3.'));
    await user.keyboard(' ');
    await vi.waitFor(() => expect(said()).toBe('Load moved to position 2 of 3.'));
    expect(order()).toEqual(['Clean', 'Load', 'Sum up']);
  });

  it('leaves an entry where it was on Escape', async () => {
    const { user } = renderPart(<Example />);
    screen.getByRole('button', { name: 'Move Load' }).focus();
    await user.keyboard(' ');
    await vi.waitFor(() => expect(said()).toBe('Picked up Load, position 1 of 3.'));
    await user.keyboard('{ArrowDown}');
    await vi.waitFor(() => expect(said()).toBe('Load is now at position 2 of 3.'));
    await user.keyboard('{Escape}');
    await vi.waitFor(() => expect(said()).toBe('Load stays at position 1 of 3.'));
    expect(order()).toEqual(['Load', 'Clean', 'Sum up']);
  });

  it('keeps the card that is dragged in the list, so that the page never grows below it', async () => {
    // jsdom has no layout: the cards are placed 100 px below each other here, too.
    const place = (element: HTMLElement) => [...(element.parentElement?.children ?? [])].indexOf(element);
    vi.spyOn(HTMLElement.prototype, 'offsetTop', 'get').mockImplementation(function (this: HTMLElement) {
      return this.matches('li') ? place(this) * 100 : 0;
    });
    vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(90);
    vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(290);
    renderPart(<Example />);
    const handle = screen.getByRole('button', { name: 'Move Clean' });
    const at = (clientY: number) => ({ isPrimary: true, button: 0, clientX: 10, clientY });
    const card = handle.closest('li');
    fireEvent.pointerDown(handle, at(110));
    fireEvent.pointerMove(document, at(120));
    fireEvent.pointerMove(document, at(4000));
    await vi.waitFor(() => expect(card).toHaveStyle({ transform: 'translate3d(0, 100px, 0)' }));
    fireEvent.pointerMove(document, at(-4000));
    await vi.waitFor(() => expect(card).toHaveStyle({ transform: 'translate3d(0, -100px, 0)' }));
    fireEvent.pointerUp(document, at(-4000));
  });

  it('has no handles when nothing can be moved', async () => {
    const { user } = renderPart(<Example fixed />);
    expect(screen.queryByRole('button')).toBeNull();
    await user.click(screen.getByRole('textbox', { name: 'Name 2' }));
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
    expect(order()).toEqual(['Load', 'Clean', 'Sum up']);
  });
});
