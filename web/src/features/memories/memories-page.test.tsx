import { screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { resetMemories } from '@/stores/memories-store';
import { memoryLabels, memoryOf, memoryTypes } from '@/testing/fixtures/memories';
import { personOf, signInAs } from '@/testing/person';
import { renderAt } from '@/testing/render';
import { api, http, page, server } from '@/testing/server';
import { Component as MemoriesPage } from './memories-page';

// The other tab has its own tests.
vi.mock('./feedback-tab', () => ({ FeedbackTab: () => 'what people said' }));

const routes = { '/memories': <MemoriesPage /> };

beforeEach(() => {
  resetMemories();
  server.use(
    http.get(api('memory/memories'), () => page([memoryOf()])),
    http.get(api('memory/memorytypes'), () => page(memoryTypes)),
    http.get(api('memory/memorylabels'), () => page(memoryLabels)),
  );
});

it('shows the tab of memories to superusers alone', async () => {
  await signInAs(personOf({ isSuperuser: true }));
  const { user, where } = renderAt('/memories', routes);
  expect(await screen.findByRole('tab', { name: /Conversation feedback/u })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await user.click(screen.getByRole('tab', { name: /Memory admin/u }));
  expect(await screen.findByRole('article', { name: 'Net sales' })).toBeVisible();
  expect(where()).toBe('/memories?tab=memories');
});

it('shows others what people said, whatever the address asks for', async () => {
  await signInAs(personOf({ isSuperuser: false }));
  renderAt('/memories?tab=memories', routes);
  expect(await screen.findByText('what people said')).toBeVisible();
  expect(screen.queryByRole('tab', { name: /Memory admin/u })).toBeNull();
});
