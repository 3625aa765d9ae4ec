import { Button, Flex, Tabs, Text } from '@radix-ui/themes';
import { MessageSquarePlus, Pencil, RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { SharedWith } from '@/components/access/shared-with';
import { FavoriteStar } from '@/components/favorite/favorite-star';
import { Page } from '@/components/page/page';
import sideways from '@/components/surface/sideways.module.css';
import { cx } from '@/lib/cx';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { paths } from '@/lib/paths';
import type { DataSource } from '@/lib/wire';
import { connectors as t } from '@/messages/connectors';
import { loadMeaning } from '@/stores/meaning-store';
import { refreshPreview, toggleDataSourceFavorite } from '@/stores/datasources-store/change';
import { SourceAccess } from './source-access';
import { SourceFacts } from './source-facts';
import { SourceGeneral } from './source-general';
import { Resting, SourceMeaning } from './source-meaning';
import { SourceMeasured } from './source-measured';
import { SourceMenu } from './source-menu';
import { SourceTable } from './source-table';
import styles from './datasources.module.css';

/** The details of a connector, with a preview of each of its tables. */
export function DataSourceDetails({ source }: { source: DeepReadonly<DataSource> }) {
  return (
    <Page
      wide
      title={source.name}
      subtitle={
        <SourceFacts source={source}>
          <Shared source={source} />
        </SourceFacts>
      }
      actions={<Actions source={source} />}
    >
      {source.description !== '' && (
        <Text as="p" size="2" mb="5" className={styles.description ?? ''}>
          {source.description}
        </Text>
      )}
      <Parts source={source} />
    </Page>
  );
}

/** The people with access in addition to its owner; a press opens the whole list. */
function Shared({ source: { id, permissions, abilities } }: { source: DeepReadonly<DataSource> }) {
  const [isManaging, setManaging] = useState(false);
  return (
    <>
      <SharedWith grants={permissions} onOpen={() => setManaging(true)} />
      {isManaging && (
        <SourceAccess sourceId={id} editable={abilities.manageAccess} onClose={() => setManaging(false)} />
      )}
    </>
  );
}

function Actions({ source }: { source: DeepReadonly<DataSource> }) {
  const { id, name, isFavorite, abilities } = source;
  const [refreshing, setRefreshing] = useState(false);

  async function refresh(): Promise<void> {
    setRefreshing(true);
    await refreshPreview(id);
    setRefreshing(false);
  }

  return (
    <Flex gap="3" wrap="wrap" align="center">
      <FavoriteStar
        name={name}
        isFavorite={isFavorite}
        onChange={(to) => void toggleDataSourceFavorite(id, to)}
      />
      <SourceMenu source={source} />
      {abilities.edit && (
        <Button asChild variant="soft" color="gray">
          <Link to={paths.dataSourceEdit(id)}>
            <Pencil size={15} aria-hidden="true" /> {t('edit')}
          </Link>
        </Button>
      )}
      <Button variant="soft" color="gray" loading={refreshing} onClick={() => void refresh()}>
        <RefreshCw size={15} aria-hidden="true" /> {t('refresh')}
      </Button>
      <Button asChild>
        <Link to={paths.newConversation({ dataSources: [id] })}>
          <MessageSquarePlus size={16} aria-hidden="true" /> {t('start')}
        </Link>
      </Button>
    </Flex>
  );
}

/**
 * A single table is shown directly on the page; with several, each has a separate section, after the facts about
 * the whole connector.
 */
function Parts({ source }: { source: DeepReadonly<DataSource> }) {
  const tables = source.dataResourceSet;
  const [only] = tables;
  const { id, version } = source;

  // A new file has a new version, and other data.
  useEffect(() => {
    void loadMeaning(id);
  }, [id, version]);

  if (tables.length <= 1) {
    return (
      <>
        <div className={only && styles.beside}>
          <SourceTable table={only} about={source.description} notice={source.notice} />
          {only && <SourceMeaning sourceId={id} tableId={only.id} />}
        </div>
        <Resting sourceId={id} />
        <SourceGeneral source={source} />
        <SourceMeasured source={source} />
      </>
    );
  }
  return (
    <Tabs.Root defaultValue="general">
      <Tabs.List mb="4" className={cx(styles.tabs, sideways.box)}>
        <Tabs.Trigger value="general">{t('general')}</Tabs.Trigger>
        {tables.map((table) => (
          <Tabs.Trigger key={table.id} value={String(table.id)}>
            {table.name}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      <Tabs.Content value="general">
        <SourceGeneral source={source} />
        <SourceMeasured source={source} />
        <Resting sourceId={id} />
      </Tabs.Content>
      {tables.map((table) => (
        <Tabs.Content key={table.id} value={String(table.id)} className={styles.beside ?? ''}>
          <SourceTable table={table} about={source.description} notice="" />
          <SourceMeaning sourceId={id} tableId={table.id} />
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}
