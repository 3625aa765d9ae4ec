import { Button, Dialog, Flex, Spinner } from '@radix-ui/themes';
import { useReturnFocus } from '@/lib/use-return-focus';
import { conversation as t } from '@/messages/conversation';
import { common } from '@/messages/common';
import styles from './generating-blueprint.module.css';

/** Covers the whole window while a blueprint is generated; this can be cancelled. */
export function GeneratingBlueprint({ onCancel }: { onCancel: () => void }) {
  const returnFocus = useReturnFocus();
  return (
    <Dialog.Root open onOpenChange={onCancel}>
      <Dialog.Content className={styles.generating ?? ''} aria-describedby={undefined} {...returnFocus}>
        <Flex direction="column" align="center" gap="4" role="status">
          <Spinner size="3" />
          <Dialog.Title size="4" weight="medium" align="center" mb="0">
            {t('blueprint.generating')}
          </Dialog.Title>
        </Flex>
        <Flex justify="center" mt="5">
          <Button variant="soft" color="gray" onClick={onCancel}>
            {common('cancel')}
          </Button>
        </Flex>
      </Dialog.Content>
    </Dialog.Root>
  );
}
