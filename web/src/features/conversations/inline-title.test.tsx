import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { renderPart } from '@/testing/render';
import { InlineTitle } from './inline-title';

interface RenamedProps {
  onRename: (name: string) => void;
}

/** A title that another person renames while it is being edited here. */
function Renamed({ onRename }: RenamedProps) {
  const [name, setName] = useState('Revenue');
  return (
    <>
      <InlineTitle name={name} editable onRename={onRename} />
      <button type="button" onMouseEnter={() => setName('Revenue of May')}>
        Elsewhere
      </button>
    </>
  );
}

async function edit(user: UserEvent): Promise<void> {
  await user.click(screen.getByRole('button', { name: 'Revenue' }));
  await user.click(screen.getByRole('textbox'));
}

describe('InlineTitle', () => {
  it('UndoesNoNameThatCameWhileNothingWasTyped', async () => {
    const onRename = vi.fn();
    const { user } = renderPart(<Renamed onRename={onRename} />);
    await edit(user);
    await user.hover(screen.getByText('Elsewhere'));
    await user.tab();
    expect(screen.getByRole('button', { name: 'Revenue of May' })).toBeVisible();
    expect(onRename).not.toHaveBeenCalled();
  });

  it('SavesWhatWasTyped, whatever came meanwhile', async () => {
    const onRename = vi.fn();
    const { user } = renderPart(<Renamed onRename={onRename} />);
    await edit(user);
    await user.keyboard('{End} by shop');
    await user.hover(screen.getByText('Elsewhere'));
    await user.keyboard('{Enter}');
    expect(onRename).toHaveBeenCalledExactlyOnceWith('Revenue by shop');
  });
});
