import { AlertDialog, Button, Flex } from '@radix-ui/themes';
import { useReturnFocus } from '@/lib/use-return-focus';
import { form as t } from '@/messages/form';

interface DiscardDialogProps {
  open: boolean;
  onKeep: () => void;
  onDiscard: () => void;
}

/** Asks whether unsaved changes may be lost. */
export function DiscardDialog({ open, onKeep, onDiscard }: DiscardDialogProps) {
  const returnFocus = useReturnFocus();
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !next && onKeep()}>
      <AlertDialog.Content maxWidth="440px" {...returnFocus}>
        <AlertDialog.Title>{t('discard.title')}</AlertDialog.Title>
        <AlertDialog.Description size="2" color="gray">
          {t('discard.text')}
        </AlertDialog.Description>
        <Flex gap="3" mt="5" justify="end">
          <AlertDialog.Cancel>
            <Button variant="soft" color="gray">
              {t('discard.keep')}
            </Button>
          </AlertDialog.Cancel>
          <Button color="red" onClick={onDiscard}>
            {t('discard.confirm')}
          </Button>
        </Flex>
      </AlertDialog.Content>
    </AlertDialog.Root>
  );
}
