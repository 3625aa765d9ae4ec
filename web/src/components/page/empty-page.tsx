import { EmptyState, type EmptyStateProps } from '@/components/empty-state/empty-state';
import { useTitle } from '@/lib/use-title';

/** A page that has nothing to show, and says so in its heading. */
export function EmptyPage(props: Omit<EmptyStateProps, 'as'>) {
  useTitle(props.title);
  return <EmptyState {...props} as="h1" />;
}
