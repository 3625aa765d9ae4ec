import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { EntityCard } from '@/components/entity-list/entity-card';
import { MemoryCard } from '@/components/memory/memory-card';
import { renderPart } from '@/testing/render';
import card from './card.module.css';

const memory = {
  name: 'Net sales',
  index: 'What are net sales?',
  value: 'Sales without tax.',
  isEnabled: true,
  alwaysRecalled: false,
  updatedAt: '2026-11-20T08:00:00.000Z',
};

it.each([
  [
    'an entity',
    <EntityCard
      name="Net sales"
      content={{ icon: null, description: '', facts: [] }}
      opening={{ onOpen: () => undefined, disabled: false }}
      choice={null}
    />,
  ],
  ['a memory', <MemoryCard memory={memory} labels={[]} type="Rule" onOpen={() => undefined} />],
])('the card of %s has the one frame, and answers a press on the whole of it', (_, shown) => {
  renderPart(shown);
  const frame = screen.getByRole('article', { name: 'Net sales' });
  expect(frame).toHaveClass(String(card['frame']));
  expect(within(frame).getByRole('button', { name: 'Net sales' })).toHaveClass(String(card['press']));
});
