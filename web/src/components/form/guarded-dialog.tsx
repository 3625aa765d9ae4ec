import { Dialog } from '@radix-ui/themes';
import { useState, type ReactNode } from 'react';
import { useReturnFocus } from '@/lib/use-return-focus';
import { DiscardDialog } from './discard-dialog';

interface GuardedDialogProps {
  title: string;
  description: string;
  maxWidth: string;
  /** Something has been typed that is saved nowhere yet. */
  isDirty: boolean;
  /** Takes an Escape that is meant for something within the dialog, and answers whether it was. */
  onEscape?: (() => boolean) | undefined;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog that holds a form: neither Escape nor a press beside it loses what was typed without asking. */
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
        maxWidth={maxWidth}
        {...returnFocus}
        onPointerDownOutside={(event) => event.preventDefault()}
        onEscapeKeyDown={(event) => {
          const isTaken = onEscape?.() === true;
          if (!isTaken && !isDirty) return;
          event.preventDefault();
          if (!isTaken) setAsking(true);
        }}
      >
        <Dialog.Title>{title}</Dialog.Title>
        <Dialog.Description size="2" color="gray" mb="4">
          {description}
        </Dialog.Description>
        {children}
        <DiscardDialog open={asking} onKeep={() => setAsking(false)} onDiscard={onClose} />
      </Dialog.Content>
    </Dialog.Root>
  );
}
