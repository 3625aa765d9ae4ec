import { AlertDialog, Button, Flex, Text } from '@radix-ui/themes';
import { useState, type ReactNode } from 'react';
import { useReturnFocus } from '@/lib/use-return-focus';
import { common } from '@/messages/common';

/** The props of the dialog. */
export interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** What will happen, in a sentence or two. */
  children: ReactNode;
  confirmLabel: string;
  /** Red, for what cannot be undone. */
  destructive?: boolean;
  /**
   * Returns true on success, the reason of a failure as a sentence that the dialog shows, or false if the failure
   * is reported elsewhere.
   */
  onConfirm: () => Promise<boolean | string | undefined>;
  /** Where the focus goes on success; if left out, or if it returns null, to what opened the dialog. Keep it stable. */
  focusAfter?: () => HTMLElement | null;
}

/** Asks before something that a person might regret. It closes on success, and stays open on failure. */
export function ConfirmDialogBody(props: ConfirmDialogProps) {
  const { open, onOpenChange, title, children, confirmLabel, destructive, onConfirm, focusAfter } = props;
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const [done, setDone] = useState(false);
  const returnFocus = useReturnFocus(done ? focusAfter : undefined);

  async function confirm(): Promise<void> {
    setBusy(true);
    setFailure('');
    setDone(false);
    const outcome = await onConfirm();
    setBusy(false);
    if (typeof outcome === 'string') setFailure(outcome);
    else if (outcome !== false) {
      setDone(true);
      onOpenChange(false);
    }
  }

  function cancel(next: boolean): void {
    setDone(false);
    onOpenChange(next);
  }

  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !busy && cancel(next)}>
      <AlertDialog.Content maxWidth="440px" {...returnFocus}>
        <AlertDialog.Title>{title}</AlertDialog.Title>
        <AlertDialog.Description size="2" color="gray">
          {children}
        </AlertDialog.Description>
        {failure !== '' && (
          <Text as="p" size="2" color="red" mt="3" role="alert">
            {failure}
          </Text>
        )}
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
