import { SegmentedControl } from '@radix-ui/themes';
import { LayoutGrid, List } from 'lucide-react';
import { Tooltip } from '@/components/tooltip/tooltip';
import { entityList as t } from '@/messages/entity-list';
import type { ListView } from './entity';

interface ViewToggleProps {
  value: ListView;
  onChange: (view: ListView) => void;
}

/** Cards or a table. */
export function ViewToggle({ value, onChange }: ViewToggleProps) {
  return (
    <SegmentedControl.Root
      value={value}
      onValueChange={(view) => onChange(view === 'list' ? 'list' : 'card')}
      aria-label={t('view.label')}
    >
      <Tooltip content={t('view.cards')}>
        <SegmentedControl.Item value="card">
          <LayoutGrid size={15} aria-label={t('view.cards')} />
        </SegmentedControl.Item>
      </Tooltip>
      <Tooltip content={t('view.table')}>
        <SegmentedControl.Item value="list">
          <List size={15} aria-label={t('view.table')} />
        </SegmentedControl.Item>
      </Tooltip>
    </SegmentedControl.Root>
  );
}
