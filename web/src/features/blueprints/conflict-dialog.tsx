import { AlertDialog, Button, Flex } from '@radix-ui/themes';
import { useReturnFocus } from '@/lib/use-return-focus';
import { blueprintEditor as t } from '@/messages/blueprint-editor';

/** The choice when another person has saved first. */
export type ConflictChoice = 'keep' | 'load' | 'overwrite';

interface ConflictDialogProps {
  onChoose: (choice: ConflictChoice) => void;
}

/** Says that another person has changed the blueprint meanwhile, and asks whose changes to keep. */
export function ConflictDialog({ onChoose }: ConflictDialogProps) {
  const returnFocus = useReturnFocus();
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onChoose('keep')}>
      <AlertDialog.Content maxWidth="480px" {...returnFocus}>
        <AlertDialog.Title>{t('conflict.title')}</AlertDialog.Title>
        <AlertDialog.Description size="2" color="gray">
          {t('conflict.text')}
        </AlertDialog.Description>
        <Flex direction="column" gap="2" mt="5">
          <Button onClick={() => onChoose('overwrite')}>{t('conflict.overwrite')}</Button>
          <Button variant="soft" color="red" onClick={() => onChoose('load')}>
            {t('conflict.load')}
          </Button>
          <AlertDialog.Cancel>
            <Button variant="soft" color="gray">
              {t('conflict.keep')}
            </Button>
          </AlertDialog.Cancel>
        </Flex>
      </AlertDialog.Content>
    </AlertDialog.Root>
  );
}
