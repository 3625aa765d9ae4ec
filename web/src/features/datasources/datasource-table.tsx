import { Badge, Flex, Table } from '@radix-ui/themes';
import { Link } from 'react-router';
import { ProjectTags } from '@/components/project/project-tag';
import { formatDay } from '@/lib/format';
import { paths } from '@/lib/paths';
import { SourceActions, type ListedSource } from './source-actions';
import styles from './datasources.module.css';

/** The connectors as rows. */
export function DataSourceTable({ sources }: { sources: readonly ListedSource[] }) {
  return (
    <div className={styles.tableScroll}>
      <Table.Root className={styles.table ?? ''}>
        <Table.Header>
          <Table.Row>
            <Table.ColumnHeaderCell minWidth="170px">Name</Table.ColumnHeaderCell>
            <Table.ColumnHeaderCell>Description</Table.ColumnHeaderCell>
            <Table.ColumnHeaderCell minWidth="120px">Project</Table.ColumnHeaderCell>
            <Table.ColumnHeaderCell>Last used</Table.ColumnHeaderCell>
            <Table.ColumnHeaderCell>Type</Table.ColumnHeaderCell>
            <Table.ColumnHeaderCell>Actions</Table.ColumnHeaderCell>
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {sources.map((source) => (
            <Table.Row key={source.id}>
              <Table.RowHeaderCell>
                <Link to={paths.dataSource(source.id)} className={styles.link}>
                  {source.name}
                </Link>
              </Table.RowHeaderCell>
              <Table.Cell>
                <span className={styles.twoLines}>{source.description}</span>
              </Table.Cell>
              <Table.Cell>
                <ProjectTags projects={source.projectLabels} />
              </Table.Cell>
              <Table.Cell className={styles.noWrap ?? ''}>
                {source.lastUsedAt === null ? '–' : formatDay(source.lastUsedAt)}
              </Table.Cell>
              <Table.Cell>
                <Badge color="gray">{(source.type[0] ?? '').toUpperCase()}</Badge>
              </Table.Cell>
              <Table.Cell>
                <Flex gap="4" align="center" pl="1">
                  <SourceActions source={source} />
                </Flex>
              </Table.Cell>
            </Table.Row>
          ))}
        </Table.Body>
      </Table.Root>
    </div>
  );
}
