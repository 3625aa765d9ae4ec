import { AlertDialog, Button, Flex } from '@radix-ui/themes';
import { useState, type ReactNode } from 'react';
import { useReturnFocus } from '@/lib/use-return-focus';
import { common } from '@/messages/common';

/** What the dialog is told. */
export interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** What will happen, in a sentence or two. */
  children: ReactNode;
  confirmLabel: string;
  /** Red, for what cannot be undone. */
  destructive?: boolean;
  /** The dialog closes when this has succeeded (answered anything but false). */
  onConfirm: () => Promise<boolean | undefined>;
}

/** Asks before something that a person might regret. */
export function ConfirmDialogBody(props: ConfirmDialogProps) {
  const { open, onOpenChange, title, children, confirmLabel, destructive, onConfirm } = props;
  const [busy, setBusy] = useState(false);
  const returnFocus = useReturnFocus();

  async function confirm(): Promise<void> {
    setBusy(true);
    const done = await onConfirm();
    setBusy(false);
    if (done !== false) onOpenChange(false);
  }

  return (
    <AlertDialog.Root open={open} onOpenChange={onOpenChange}>
      <AlertDialog.Content maxWidth="440px" {...returnFocus}>
        <AlertDialog.Title>{title}</AlertDialog.Title>
        <AlertDialog.Description size="2" color="gray">
          {children}
        </AlertDialog.Description>
        <Flex gap="3" mt="5" justify="end">
          <AlertDialog.Cancel>
            <Button variant="soft" color="gray" disabled={busy}>
              {common('cancel')}
            </Button>
          </AlertDialog.Cancel>
          <Button
            {...(destructive === true && { color: 'red' as const })}
            loading={busy}
            onClick={() => void confirm()}
          >
            {confirmLabel}
          </Button>
        </Flex>
      </AlertDialog.Content>
    </AlertDialog.Root>
  );
}
