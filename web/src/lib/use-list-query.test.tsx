import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderAt } from '@/testing/render';
import { useListQuery } from './use-list-query';

function Probe() {
  const { query, change, changeOther } = useListQuery({ segments: ['all', 'favorite'] });
  return (
    <>
      <output>{JSON.stringify(query)}</output>
      <button onClick={() => change({ segment: 'favorite', project: 7, search: 'pear', view: 'list' })}>
        narrow
      </button>
      <button onClick={() => change({ sort: { column: 'rows', descending: true } })}>sort</button>
      <button onClick={() => change({ segment: 'all', project: null, search: '', view: 'card', sort: null })}>
        usual
      </button>
      <button onClick={() => changeOther({ category: '3' })}>category</button>
    </>
  );
}

const shown = (): unknown => JSON.parse(screen.getByRole('status').textContent);

describe('useListQuery', () => {
  it('reads what the address says, and what is usual when it says nothing or something else', () => {
    renderAt('/list?filter=favorite&project=7&search=pear&view=list&sort=-rows', { '/list': <Probe /> });
    expect(shown()).toEqual({
      segment: 'favorite',
      project: 7,
      search: 'pear',
      view: 'list',
      sort: { column: 'rows', descending: true },
    });
    renderAt('/other?filter=nonsense&project=x&view=y&sort=-', { '/other': <Probe /> });
    expect(JSON.parse(screen.getAllByRole('status')[1]!.textContent)).toEqual({
      segment: 'all',
      project: null,
      search: '',
      view: 'card',
      sort: null,
    });
  });

  it('writes what is not usual, and keeps the other parameters', async () => {
    const { user, where } = renderAt('/list?category=3', { '/list': <Probe /> });
    await user.click(screen.getByRole('button', { name: 'narrow' }));
    await user.click(screen.getByRole('button', { name: 'sort' }));
    expect(where()).toBe('/list?category=3&search=pear&filter=favorite&project=7&view=list&sort=-rows');
    await user.click(screen.getByRole('button', { name: 'usual' }));
    expect(where()).toBe('/list?category=3');
  });

  it('changes the other parameters, and keeps its own', async () => {
    const { user, where } = renderAt('/list?view=list', { '/list': <Probe /> });
    await user.click(screen.getByRole('button', { name: 'category' }));
    expect(where()).toBe('/list?view=list&category=3');
  });
});
