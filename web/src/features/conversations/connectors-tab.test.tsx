import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { dataSourceOf } from '@/testing/fixtures/wire';
import { renderPart } from '@/testing/render';
import { ConnectorsTab } from './connectors-tab';

it('has one card for each connector of the conversation, in its order', () => {
  const sources = [dataSourceOf({ id: 3, name: 'Visits' }), dataSourceOf({ id: 1, name: 'Orders' })];
  renderPart(<ConnectorsTab sources={sources} />);
  expect(screen.getAllByRole('article').map((card) => card.getAttribute('aria-label'))).toEqual([
    'Visits',
    'Orders',
  ]);
});
