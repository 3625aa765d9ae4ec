import { Button, Dialog, Flex, Text } from '@radix-ui/themes';
import { useState, type ComponentProps } from 'react';
import type { ListQuery } from '@/components/entity-list/entity';
import { pickerLabel } from '@/lib/connector-picker';
import { toggled } from '@/lib/selection';
import { useReturnFocus } from '@/lib/use-return-focus';
import { common } from '@/messages/common';
import { connectors as t } from '@/messages/connectors';
import type { ConnectorSummary } from './connector';
import { ConnectorList } from './connector-list';

type ListProps = ComponentProps<typeof ConnectorList<ConnectorSummary>>;

interface ConnectorPickerProps extends Pick<
  ListProps,
  'items' | 'status' | 'count' | 'projects' | 'actions' | 'more' | 'onAdd' | 'onRetry'
> {
  query: ListQuery;
  onQuery: (changes: Partial<ListQuery>) => void;
  /** What is chosen already. */
  selected: readonly number[];
  /** The current choice: it starts as `selected`, and the parent adds connectors that were uploaded meanwhile. */
  chosen: readonly number[];
  onChosen: (ids: number[]) => void;
  /** Connectors that cannot be deselected, such as the one that belongs to the conversation. */
  locked?: readonly number[];
  /** Only one connector is selected, instead of any number. */
  single?: boolean;
  onConfirm: (ids: number[]) => void;
  onClose: () => void;
}

/** The height of the list within the dialog in pixels (specification 2, section 9). */
const listHeight = 500;

/**
 * Chooses connectors, as cards or rows. The button says what it will change, and does nothing if there is no
 * change.
 */
export function ConnectorPicker(props: ConnectorPickerProps) {
  const { selected, chosen, onChosen, locked = [], single = false, onConfirm, onClose, ...list } = props;
  const returnFocus = useReturnFocus();
  const [told, setTold] = useState('');
  const change = pickerLabel(selected, new Set(chosen));
  const title = single ? t('select.title') : t('picker.title');

  function toggle(id: number): void {
    const next = [...toggled({ selected: chosen, locked, single }, id)];
    onChosen(next);
    setTold(t('select.chosen', { count: next.length }));
  }

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Content maxWidth="1080px" {...returnFocus}>
        <Dialog.Title>{title}</Dialog.Title>
        <Dialog.Description size="2" color="gray" mb="4">
          {t('picker.text')}
        </Dialog.Description>
        <ConnectorList
          {...list}
          height={listHeight}
          selection={{
            selected: chosen,
            locked,
            single,
            onToggle: (id) => toggle(Number(id)),
          }}
          onPick={({ id }) => toggle(id)}
        />
        <Flex gap="3" mt="5" justify="end" align="center">
          <Text size="2" color="gray" mr="auto" role="status">
            {told}
          </Text>
          <Button variant="soft" color="gray" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button disabled={change === null} onClick={() => onConfirm([...chosen])}>
            {single ? t('select.confirm') : (change ?? title)}
          </Button>
        </Flex>
      </Dialog.Content>
    </Dialog.Root>
  );
}
