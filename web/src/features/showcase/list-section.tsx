import { Button, Flex } from '@radix-ui/themes';
import { FileSpreadsheet } from 'lucide-react';
import { useState } from 'react';
import type { ListQuery } from '@/components/entity-list/entity';
import { EntityList } from '@/components/entity-list/entity-list';
import { EntityMenu } from '@/components/entity-menu/entity-menu';
import { FavoriteStar } from '@/components/favorite/favorite-star';
import { formatCount } from '@/lib/format';
import { searchByName } from '@/lib/search';
import { toggled } from '@/lib/selection';
import * as fixtures from '@/testing/fixtures/components';

const first: ListQuery = { segment: 'all', project: null, search: '', view: 'card', sort: null };
const words = {
  list: 'Tables',
  search: 'Search tables',
  count: (count: number) => `${formatCount(count)} tables`,
  none: 'No tables',
  loading: 'Loading tables',
  failed: 'The tables could not be loaded',
};
const segments = [
  { value: 'all', label: 'All' },
  { value: 'favorite', label: 'Favorite' },
];

const done = (): Promise<boolean> => Promise.resolve(true);

/** The list of entities in its states, and the menu of one. */
export function ListSection() {
  const [query, setQuery] = useState(first);
  const [chosen, setChosen] = useState<readonly (number | string)[]>([1]);
  const [favorites, setFavorites] = useState<readonly number[]>([2]);
  const items = searchByName(fixtures.entities, query.search).filter(
    ({ id }) => query.segment === 'all' || favorites.includes(id),
  );
  const list = {
    words,
    query,
    onQuery: (changes: Partial<ListQuery>) => setQuery((now) => ({ ...now, ...changes })),
    card: (item: fixtures.EntityFixture) => ({
      icon: <FileSpreadsheet size={18} />,
      description: item.description,
      facts: ['CSV', `${formatCount(item.rows)} rows`],
      owner: { fullName: item.owner },
    }),
    empty: {
      icon: <FileSpreadsheet size={22} />,
      text: 'Upload a file to ask it questions.',
      action: <Button>Add</Button>,
    },
    onRetry: () => undefined,
    cardHeight: 160,
  };
  const choice = { locked: [3], disabled: [4] };
  return (
    <Flex direction="column" gap="6">
      <EntityList
        {...list}
        items={items}
        status="fetched"
        segments={segments}
        columns={[
          {
            id: 'name',
            label: 'Name',
            cell: ({ name }) => name,
            sort: (a, b) => a.name.localeCompare(b.name),
          },
          { id: 'description', label: 'Description', cell: ({ description }) => description },
          {
            id: 'rows',
            label: 'Rows',
            width: '120px',
            align: 'end',
            cell: ({ rows }) => formatCount(rows),
            sort: (a, b) => a.rows - b.rows,
          },
        ]}
        open={() => ({ to: '/components' })}
        add={{ label: 'Add table', onAdd: () => undefined }}
        actions={({ id, name }) => (
          <>
            <FavoriteStar
              name={name}
              isFavorite={favorites.includes(id)}
              onChange={(on) => setFavorites(on ? [...favorites, id] : favorites.filter((one) => one !== id))}
            />
            <EntityMenu
              name={name}
              inList
              actions={{
                rename: { title: 'Rename table', max: 80, onConfirm: done },
                duplicate: { title: 'Duplicate table', max: 80, onConfirm: done },
                access: { onOpen: () => undefined, disabledReason: 'Only the owner can do this.' },
                archive: { title: 'Archive table', text: 'It leaves the lists.', onConfirm: done },
                remove: {
                  title: 'Delete table',
                  text: 'This cannot be undone.',
                  onConfirm: () => Promise.resolve('It is in use.'),
                },
              }}
            />
          </>
        )}
      />
      <EntityList
        {...list}
        items={fixtures.entities.slice(0, 4)}
        status="fetched"
        selection={{
          selected: chosen,
          ...choice,
          onToggle: (id) => setChosen(toggled({ selected: chosen, ...choice }, id)),
        }}
      />
      <EntityList {...list} items={[]} status="fetching" />
      <EntityList {...list} items={[]} status="failed" />
      <EntityList {...list} items={[]} status="fetched" query={first} />
    </Flex>
  );
}
