import { Button, Callout, Skeleton } from '@radix-ui/themes';
import { RefreshCw, SearchX, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '@/components/empty-state/empty-state';
import { common } from '@/messages/common';
import { entityList as t } from '@/messages/entity-list';
import type { ListView } from './entity';
import grid from './entity-grid.module.css';
import styles from './list-states.module.css';

interface SkeletonsProps {
  label: string;
  view: ListView;
  cardHeight: number;
  wide?: boolean | undefined;
}

const places = [1, 2, 3, 4, 5, 6];

/** Placeholders for the first items of a list while they load, in their final size. */
export function ListSkeletons({ label, view, cardHeight, wide }: SkeletonsProps) {
  return (
    <div role="status" aria-label={label} className={grid.container}>
      {view === 'card' ? (
        <div className={grid.grid} data-wide={wide}>
          {places.map((place) => (
            <Skeleton key={place} className={styles.card ?? ''} style={{ height: cardHeight }} />
          ))}
        </div>
      ) : (
        <div className={styles.rows}>
          {places.map((place) => (
            <div key={place} className={styles.row}>
              <Skeleton width="22%" height="14px" />
              <Skeleton width="40%" height="14px" />
              <Skeleton width="10%" height="14px" />
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

/** A list that could not be loaded. */
export function ListFailed({ title, onRetry }: { title: string; onRetry: () => void }) {
  return (
    <div role="alert">
      <EmptyState
        icon={<RefreshCw size={22} />}
        title={title}
        action={
          <Button variant="soft" onClick={onRetry}>
            {common('retry')}
          </Button>
        }
      />
    </div>
  );
}

/** Shown above entries that could not be refreshed. */
export function RefreshFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <Callout.Root color="amber" size="1" mb="3" role="alert" className={styles.failed ?? ''}>
      <Callout.Icon>
        <TriangleAlert size={15} />
      </Callout.Icon>
      <Callout.Text>{t('refresh.failed')}</Callout.Text>
      <Button size="1" variant="soft" color="amber" onClick={onRetry}>
        {common('retry')}
      </Button>
    </Callout.Root>
  );
}

interface NothingFoundProps {
  /** The active filters, in words. */
  asked: readonly string[];
  onClear: () => void;
}

/** A list without results: the active filters, and a button to reset them. */
export function NothingFound({ asked, onClear }: NothingFoundProps): ReactNode {
  const words = asked.reduce((first, second) => t('asked.and', { first, second }));
  return (
    <div role="status">
      <EmptyState
        icon={<SearchX size={22} />}
        title={t('none.found')}
        action={
          <Button variant="soft" color="gray" onClick={onClear}>
            {t('clear')}
          </Button>
        }
      >
        {t('none.asked', { asked: words })}
      </EmptyState>
    </div>
  );
}
