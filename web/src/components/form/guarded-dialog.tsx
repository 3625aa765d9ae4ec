import { Dialog } from '@radix-ui/themes';
import { useState, type ReactNode } from 'react';
import { useReturnFocus } from '@/lib/use-return-focus';
import { DiscardDialog } from './discard-dialog';
import styles from './form.module.css';

interface GuardedDialogProps {
  title: string;
  /** Left out if the title says it all. */
  description?: string | undefined;
  maxWidth: string;
  /** There is typed text that is not saved yet. */
  isDirty: boolean;
  /** Handles an Escape that is meant for an element within the dialog, and returns whether it was. */
  onEscape?: (() => boolean) | undefined;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog that holds a form: neither Escape nor a press outside of it loses typed text without asking. */
export function GuardedDialog({
  title,
  description,
  maxWidth,
  isDirty,
  onEscape,
  onClose,
  children,
}: GuardedDialogProps) {
  const [asking, setAsking] = useState(false);
  const returnFocus = useReturnFocus();

  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Content
        className={styles.dialog ?? ''}
        maxWidth={maxWidth}
        {...returnFocus}
        {...(description === undefined && { 'aria-describedby': undefined })}
        onPointerDownOutside={(event) => event.preventDefault()}
        onEscapeKeyDown={(event) => {
          const isTaken = onEscape?.() === true;
          if (!isTaken && !isDirty) return;
          event.preventDefault();
          if (!isTaken) setAsking(true);
        }}
      >
        <Dialog.Title>{title}</Dialog.Title>
        {description !== undefined && (
          <Dialog.Description size="2" color="gray" mb="4">
            {description}
          </Dialog.Description>
        )}
        {children}
        <DiscardDialog open={asking} onKeep={() => setAsking(false)} onDiscard={onClose} />
      </Dialog.Content>
    </Dialog.Root>
  );
}
