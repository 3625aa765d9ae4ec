import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { resetBlueprints } from '@/stores/blueprints-store';
import { blueprintOf } from '@/testing/fixtures/wire';
import { renderAt } from '@/testing/render';
import { api, http, HttpResponse, server } from '@/testing/server';
import { Component as HomePage } from './home-page';

const own = blueprintOf({ id: 8, name: 'Weekly numbers', isLibrary: false });

function answer(results: readonly object[], count = results.length): Response {
  return HttpResponse.json({ results, pagination: { count, next: null, previous: null } });
}

beforeEach(() => {
  resetBlueprints();
  server.use(
    http.get(api('discourse/blueprints'), ({ request }) => {
      const { searchParams } = new URL(request.url);
      if (searchParams.get('page_size') === '1') return answer([own], 9);
      if (searchParams.get('search') === 'nothing') return answer([]);
      return answer(searchParams.get('library_scope') === 'exclude' ? [own] : [blueprintOf()]);
    }),
  );
});

describe('HomePage', () => {
  it('HasItsThreeCardsInOrder, the last one disabled', async () => {
    renderAt('/home', { '/home': <HomePage /> });
    expect(await screen.findByText('9')).toBeVisible();
    const cards = screen.getAllByRole('list')[0]!;
    const buttons = within(cards).getAllByRole('button');
    expect(buttons.map((button) => button.textContent)).toEqual([
      expect.stringMatching(/^Start with a blueprint 9/u),
      expect.stringMatching(/^Start new conversation/u),
      expect.stringMatching(/^Last activity/u),
    ]);
    expect(buttons[2]).toBeDisabled();
  });

  it('ShowsOnesOwnBlueprintsBeforeTheLibrarys', async () => {
    const { user, where } = renderAt('/home', { '/home': <HomePage /> });
    await user.click(screen.getByRole('button', { name: /Start with a blueprint/u }));
    await screen.findByRole('article', { name: 'Weekly numbers' });
    expect(where()).toBe('/home?activeTab=blueprint');
    expect(screen.getAllByRole('article').map((card) => card.getAttribute('aria-label'))).toEqual([
      'Weekly numbers',
      'Region deep dive',
    ]);
    expect(screen.getByRole('link', { name: 'Library Blueprints' })).toHaveAttribute(
      'href',
      '/blueprint/library',
    );
  });

  it('SaysWhenASearchFindsNothing', async () => {
    const { user } = renderAt('/home?activeTab=blueprint', { '/home': <HomePage /> });
    await screen.findByRole('article', { name: 'Weekly numbers' });
    await user.type(screen.getByRole('textbox', { name: 'Search blueprints' }), 'nothing');
    expect(await screen.findByText('No results found. Change search request and try again')).toBeVisible();
    expect(screen.queryByRole('article')).toBeNull();
  });
});
