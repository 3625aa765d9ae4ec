import { Button, Flex, IconButton, Text } from '@radix-ui/themes';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { formatCount } from '@/lib/format';
import { common } from '@/messages/common';
import { entityList as t } from '@/messages/entity-list';

/** More of a list, a button press at a time. */
export interface MoreItems {
  /** The next page is being fetched. */
  loading: boolean;
  onMore: () => void;
}

/** A list that the server sends one page at a time. */
export interface PagedItems {
  /** From 1. */
  page: number;
  size: number;
  onPage: (page: number) => void;
}

/** Shown under a list that has more items. */
export function ShowMore({ loading, onMore }: MoreItems) {
  return (
    <Button mt="4" variant="soft" color="gray" loading={loading} onClick={onMore}>
      {common('more')}
    </Button>
  );
}

/** Moves between pages, and shows the current one. Nothing is shown for a single page. */
export function PageSwitch({ page, size, count, onPage }: PagedItems & { count: number }) {
  const last = Math.max(1, Math.ceil(count / size));
  if (last === 1 && page === 1) return null;
  const from = (page - 1) * size + 1;
  const to = Math.min(page * size, count);
  return (
    <Flex asChild align="center" justify="end" gap="3" mt="3">
      <nav aria-label={t('pages.label')}>
        <Text size="2" color="gray" role="status">
          {t('pages.range', { from: formatCount(from), to: formatCount(to), count: formatCount(count) })}
        </Text>
        <IconButton
          variant="soft"
          color="gray"
          aria-label={t('pages.previous')}
          disabled={page <= 1}
          onClick={() => onPage(page - 1)}
        >
          <ChevronLeft size={16} aria-hidden="true" />
        </IconButton>
        <IconButton
          variant="soft"
          color="gray"
          aria-label={t('pages.next')}
          disabled={page >= last}
          onClick={() => onPage(page + 1)}
        >
          <ChevronRight size={16} aria-hidden="true" />
        </IconButton>
      </nav>
    </Flex>
  );
}
