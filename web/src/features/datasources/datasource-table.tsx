import { Badge, Table } from '@radix-ui/themes';
import { Link } from 'react-router';
import type { ConnectorSummary } from '@/components/connector/connector-card';
import { formatDay } from '@/lib/format';
import { paths } from '@/lib/paths';
import styles from './datasources.module.css';

/** The connectors as rows. */
export function DataSourceTable({ sources }: { sources: readonly ConnectorSummary[] }) {
  return (
    <div className={styles.tableScroll}>
      <Table.Root>
        <Table.Header>
          <Table.Row>
            <Table.ColumnHeaderCell>Name</Table.ColumnHeaderCell>
            <Table.ColumnHeaderCell>Description</Table.ColumnHeaderCell>
            <Table.ColumnHeaderCell>Owner</Table.ColumnHeaderCell>
            <Table.ColumnHeaderCell>Updated</Table.ColumnHeaderCell>
            <Table.ColumnHeaderCell>Type</Table.ColumnHeaderCell>
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
              <Table.Cell>{source.description}</Table.Cell>
              <Table.Cell>{source.owner?.fullName}</Table.Cell>
              <Table.Cell>{formatDay(source.updatedAt)}</Table.Cell>
              <Table.Cell>
                <Badge color="gray">{(source.type[0] ?? '').toUpperCase()}</Badge>
              </Table.Cell>
            </Table.Row>
          ))}
        </Table.Body>
      </Table.Root>
    </div>
  );
}
