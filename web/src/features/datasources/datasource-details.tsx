import { Badge, Button, Callout, Flex, Heading, Tabs, Text } from '@radix-ui/themes';
import { Info, MessageSquarePlus, Pencil, RefreshCw } from 'lucide-react';
import { Link } from 'react-router';
import { DataTable } from '@/components/data-table';
import { FavoriteStar } from '@/components/favorite/favorite-star';
import { Page } from '@/components/page/page';
import { ProjectTags } from '@/components/project/project-tag';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { formatBytes, formatCount, formatDay } from '@/lib/format';
import { paths } from '@/lib/paths';
import type { DataResource, DataSource } from '@/lib/wire';
import { refreshPreview, toggleDataSourceFavorite } from '@/stores/datasources-store';
import { SourceMenu } from './source-menu';
import styles from './datasources.module.css';

interface DataSourceDetailsProps {
  source: DeepReadonly<DataSource>;
  refreshing: boolean;
}

/** What a connector is, and a look into each of its tables. */
export function DataSourceDetails({ source, refreshing }: DataSourceDetailsProps) {
  const resources = source.dataResourceSet;
  const first = resources[0];
  return (
    <Page
      title={source.name}
      subtitle={
        <Flex gap="2" align="center" asChild>
          <span>
            <Badge color="gray">{(source.type[0] ?? '').toUpperCase()}</Badge>
            {source.scope === 'organization' && <Badge>Organization</Badge>}
            {source.owner.fullName}
            <ProjectTags projects={source.projectLabels} />
          </span>
        </Flex>
      }
      actions={
        <Flex gap="3" wrap="wrap" align="center">
          <FavoriteStar
            name={source.name}
            isFavorite={source.isFavorite}
            onChange={(to) => void toggleDataSourceFavorite(source.id, to)}
          />
          <SourceMenu source={source} />
          {source.abilities.edit && (
            <Button asChild variant="soft" color="gray">
              <Link to={paths.dataSourceEdit(source.id)}>
                <Pencil size={15} /> Edit
              </Link>
            </Button>
          )}
          <Button
            variant="soft"
            color="gray"
            loading={refreshing}
            onClick={() => void refreshPreview(source.id)}
          >
            <RefreshCw size={15} /> Refresh
          </Button>
          <Button asChild>
            <Link to={paths.newConversation({ dataSources: [source.id] })}>
              <MessageSquarePlus size={16} /> Start new conversation
            </Link>
          </Button>
        </Flex>
      }
    >
      <Text as="p" size="3" mb="5">
        {source.description}
      </Text>
      <dl className={styles.facts}>
        <Fact name="File" value={source.fileName} />
        <Fact name="Size" value={source.size > 0 ? formatBytes(source.size) : ''} />
        <Fact name="Added" value={formatDay(source.createdAt)} />
        <Fact name="Updated" value={formatDay(source.updatedAt)} />
      </dl>
      <section className={styles.section} aria-label="Data">
        {first === undefined ? (
          <Callout.Root color="gray">
            <Callout.Icon>
              <Info size={16} />
            </Callout.Icon>
            <Callout.Text>{source.notice || 'No data available for this datasource.'}</Callout.Text>
          </Callout.Root>
        ) : resources.length === 1 ? (
          <Resource resource={first} about={source.description} />
        ) : (
          <Tabs.Root defaultValue={String(first.id)}>
            <Tabs.List mb="4">
              {resources.map((resource) => (
                <Tabs.Trigger key={resource.id} value={String(resource.id)}>
                  {resource.name}
                </Tabs.Trigger>
              ))}
            </Tabs.List>
            {resources.map((resource) => (
              <Tabs.Content key={resource.id} value={String(resource.id)}>
                <Resource resource={resource} about={source.description} />
              </Tabs.Content>
            ))}
          </Tabs.Root>
        )}
      </section>
    </Page>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  if (value === '') return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

interface ResourceProps {
  resource: DeepReadonly<DataResource>;
  /** What the page has said already; a file of one table is described by the same words. */
  about: string;
}

/** One table: its columns and its first rows. */
function Resource({ resource, about }: ResourceProps) {
  return (
    <Flex direction="column" gap="4">
      <Flex align="baseline" gap="3" wrap="wrap">
        <Heading as="h2" size="4">
          {resource.name}
        </Heading>
        <Text size="2" color="gray">
          {formatCount(resource.rows)} rows, {formatCount(resource.columns.length)} columns
        </Text>
      </Flex>
      {resource.description !== '' && resource.description !== about && (
        <Text as="p" size="2" color="gray">
          {resource.description}
        </Text>
      )}
      <div className={styles.columns}>
        {resource.columns.map((column) => (
          <Badge key={column.name} color="gray" variant="surface" title={column.description}>
            {column.name} <Text color="teal">{column.type}</Text>
          </Badge>
        ))}
      </div>
      {resource.details !== '' && (
        <details className={styles.dictionary}>
          <summary>Data dictionary</summary>
          <Text as="p" size="2">
            {resource.details}
          </Text>
        </details>
      )}
      <DataTable
        data={resource.preview}
        caption={`First rows of ${resource.name}`}
        totalRows={resource.rows}
      />
    </Flex>
  );
}
