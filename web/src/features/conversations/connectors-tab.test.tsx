import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { dataSources, resetDataSources } from '@/stores/datasources-store/sources';
import { dataSourceOf } from '@/testing/fixtures/wire';
import { renderPart } from '@/testing/render';
import { ConnectorsTab } from './connectors-tab';

it('has one card for each connector of the conversation, in its order', () => {
  resetDataSources();
  for (const [id, name] of [
    [1, 'Orders'],
    [2, 'Tickets'],
    [3, 'Visits'],
  ] as const) {
    dataSources.put(dataSourceOf({ id, name }));
  }
  renderPart(<ConnectorsTab conversationId="c1" ids={[3, 1]} />);
  expect(screen.getAllByRole('article').map((card) => card.getAttribute('aria-label'))).toEqual([
    'Visits',
    'Orders',
  ]);
});
