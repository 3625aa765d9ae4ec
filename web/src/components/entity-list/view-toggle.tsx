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
      <SegmentedControl.Item value="card">
        <Tooltip content={t('view.cards')}>
          <LayoutGrid size={15} aria-label={t('view.cards')} />
        </Tooltip>
      </SegmentedControl.Item>
      <SegmentedControl.Item value="list">
        <Tooltip content={t('view.table')}>
          <List size={15} aria-label={t('view.table')} />
        </Tooltip>
      </SegmentedControl.Item>
    </SegmentedControl.Root>
  );
}
