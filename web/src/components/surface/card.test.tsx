import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { EntityCard } from '@/components/entity-list/entity-card';
import { memoryCard } from '@/components/memory/memory-content';
import { renderPart } from '@/testing/render';
import card from './card.module.css';

const memory = {
  index: 'What are net sales?',
  value: 'Sales without tax.',
  isEnabled: true,
  alwaysRecalled: false,
  updatedAt: '2026-11-20T08:00:00.000Z',
  labelNames: [],
  typeName: 'Rule',
};

it.each([
  ['an entity', { icon: null, description: '', facts: [] }],
  ['a memory', memoryCard(memory)],
])('the card of %s has the one frame, and answers a press on the whole of it', (_, content) => {
  renderPart(
    <EntityCard
      name="Net sales"
      content={content}
      opening={{ onOpen: () => undefined, disabled: false }}
      choice={null}
    />,
  );
  const frame = screen.getByRole('article', { name: 'Net sales' });
  expect(frame).toHaveClass(String(card['frame']));
  expect(within(frame).getByRole('button', { name: 'Net sales' })).toHaveClass(String(card['press']));
});
