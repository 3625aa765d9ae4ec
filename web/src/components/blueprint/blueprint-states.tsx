import { Button, Text } from '@radix-ui/themes';
import { ListChecks, RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '@/components/empty-state/empty-state';
import { blueprints as t } from '@/messages/blueprints';
import { common } from '@/messages/common';

interface ShowMoreProps {
  /** The next page is on its way. */
  loading: boolean;
  onClick: () => void;
}

/** Stands under a list that has another page. */
export function ShowMore({ loading, onClick }: ShowMoreProps) {
  return (
    <Button mt="4" variant="soft" color="gray" loading={loading} onClick={onClick}>
      {common('more')}
    </Button>
  );
}

/** Stands where blueprints could not be loaded. */
export function BlueprintsFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <EmptyState
      icon={<RefreshCw size={22} />}
      title={t('list.failed')}
      action={
        <Button variant="soft" onClick={onRetry}>
          {common('retry')}
        </Button>
      }
    />
  );
}

interface NoBlueprintsProps {
  /** What was searched for; where nothing was, there is nothing to change. */
  search: string;
  /** What there would be, and how to get there. */
  children?: ReactNode;
}

/** Stands where there is no blueprint to show. */
export function NoBlueprints({ search, children }: NoBlueprintsProps) {
  if (search === '')
    return (
      <EmptyState icon={<ListChecks size={22} />} title={t('list.none')}>
        {children}
      </EmptyState>
    );
  return (
    <Text as="p" size="2" color="gray" mt="4">
      {t('list.nothing')}
    </Text>
  );
}
