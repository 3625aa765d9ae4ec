import { screen, within } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import type { ListQuery } from '@/components/entity-list/entity';
import { dataSourceOf } from '@/testing/fixtures/wire';
import { renderPart } from '@/testing/render';
import { ConnectorPicker } from './connector-picker';

const items = ['Orders', 'Tickets', 'Visits'].map((name, place) => dataSourceOf({ id: place + 1, name }));

type Given = Partial<Parameters<typeof ConnectorPicker>[0]>;

function setup(selected: readonly number[], given: Given = {}) {
  const onConfirm = vi.fn();
  function Host() {
    const [chosen, setChosen] = useState(selected);
    const [query, setQuery] = useState<ListQuery>({
      segment: 'all',
      project: null,
      search: '',
      sort: null,
      view: 'card',
    });
    return (
      <ConnectorPicker
        items={items}
        status="fetched"
        count={items.length}
        projects={[]}
        query={query}
        onQuery={(changes) => setQuery((now) => ({ ...now, ...changes }))}
        onRetry={() => undefined}
        {...{ selected, chosen, onConfirm }}
        onChosen={setChosen}
        onClose={() => undefined}
        {...given}
      />
    );
  }
  const rendered = renderPart(<Host />);
  const dialog = within(screen.getByRole('dialog'));
  return { ...rendered, dialog, onConfirm };
}

describe('ConnectorPicker', () => {
  it('says what it will add and remove, and does nothing when that is nothing', async () => {
    const { user, dialog, onConfirm } = setup([1]);
    expect(dialog.getByRole('heading', { name: 'Add connector' })).toBeVisible();
    expect(dialog.getByRole('button', { name: 'Add connector' })).toBeDisabled();
    await user.click(dialog.getByRole('button', { name: 'Tickets' }));
    expect(dialog.getByRole('button', { name: 'Add 1 connector' })).toBeEnabled();
    await user.click(dialog.getByRole('button', { name: 'Orders' }));
    await user.click(dialog.getByRole('button', { name: 'Add 1 connector and remove 1 connector' }));
    expect(onConfirm).toHaveBeenCalledExactlyOnceWith([2]);
  });

  it('scrolls within 500 px', () => {
    const { dialog } = setup([]);
    const scroller = dialog.getByRole('list', { name: 'Connectors' }).parentElement?.parentElement;
    expect(scroller).toHaveStyle({ maxHeight: '500px' });
  });

  it('leaves what is locked', async () => {
    const { user, dialog } = setup([1], { locked: [1] });
    await user.click(dialog.getByRole('button', { name: 'Orders' }));
    expect(dialog.getByRole('button', { name: 'Add connector' })).toBeDisabled();
  });

  it('shows a table with name, description, project, last use, type and actions', async () => {
    const { user, dialog } = setup([], { actions: () => <button>Look into it</button> });
    await user.click(dialog.getByRole('radio', { name: 'List' }));
    const heads = (await dialog.findAllByRole('columnheader')).map((head) => head.textContent.trim());
    expect(heads).toEqual(['Selected', 'Name', 'Description', 'Project', 'Last used', 'Type', 'Actions']);
  });

  it('selects one in place of another when only one can be', async () => {
    const { user, dialog, onConfirm } = setup([1], { single: true });
    expect(dialog.getByRole('heading', { name: 'Select connector' })).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Visits' }));
    await user.click(dialog.getByRole('button', { name: 'Select' }));
    expect(onConfirm).toHaveBeenCalledExactlyOnceWith([3]);
  });
});
