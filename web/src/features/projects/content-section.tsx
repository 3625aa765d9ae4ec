import { Badge, Button, Heading, Skeleton, Text } from '@radix-ui/themes';
import { useId } from 'react';
import { Link } from 'react-router';
import type { Collection } from '@/lib/collection';
import type { Entity } from '@/lib/collection-state';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { formatCount } from '@/lib/format';
import { isFirstLoad } from '@/lib/load-status';
import { useList } from '@/lib/use-collection';
import { common } from '@/messages/common';
import styles from './projects.module.css';

/** One entry: its address, its name, and a note. */
interface ContentRow {
  to: string;
  name: string;
  note: string;
}

interface ContentSectionProps<T extends Entity> {
  title: string;
  /** The text if there are none. */
  none: string;
  failed: string;
  collection: Collection<T, number>;
  project: number;
  row: (entity: DeepReadonly<T>) => ContentRow;
}

/** The items of one kind that belong to a project. */
export function ContentSection<T extends Entity>(props: ContentSectionProps<T>) {
  const { title, none, failed, collection, project, row } = props;
  const { items, status, count, more } = useList(collection, project);
  const id = useId();
  const waiting = isFirstLoad(status) && items.length === 0;
  return (
    <section aria-labelledby={id} className={styles.section}>
      <div className={styles.sectionHead}>
        <Heading as="h2" size="3" id={id}>
          {title}
        </Heading>
        {count > 0 && <Badge color="gray">{formatCount(count)}</Badge>}
      </div>
      {waiting && <Skeleton height="120px" aria-label={common('loading')} />}
      {status === 'failed' && (
        <p className={styles.failed} role="alert">
          {failed}
          <Button size="1" variant="soft" onClick={() => void collection.refresh(project)}>
            {common('retry')}
          </Button>
        </p>
      )}
      {!waiting && status !== 'failed' && items.length === 0 && (
        <Text as="p" size="2" color="gray">
          {none}
        </Text>
      )}
      {items.length > 0 && (
        <ul className={styles.rows}>
          {items.map((item) => {
            const { to, name, note } = row(item);
            return (
              <li key={item.id}>
                <Link to={to} className={styles.row}>
                  <span className={styles.rowName}>{name}</span>
                  <span className={styles.rowNote}>{note}</span>
                </Link>
              </li>
            );
          })}
        </ul>
      )}
      {more && (
        <Button
          size="1"
          variant="soft"
          color="gray"
          mt="2"
          loading={status === 'updating'}
          onClick={() => void collection.more(project)}
        >
          {common('more')}
        </Button>
      )}
    </section>
  );
}
