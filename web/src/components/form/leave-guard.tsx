import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { DiscardDialog } from './discard-dialog';

interface LeaveGuardProps {
  isDirty: boolean;
  /** Called at the moment of leaving, because the last rendered state may be out of date. */
  mustAsk: () => boolean;
  /** The address of this form: addresses below it show the same form and keep its values. */
  within?: string | undefined;
}

/** Asks before unsaved changes are lost, by a link of the app or by closing the window. */
export function LeaveGuard({ isDirty, mustAsk, within }: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      mustAsk() &&
      currentLocation.pathname !== nextLocation.pathname &&
      (within === undefined || !`${nextLocation.pathname}/`.startsWith(`${within}/`)),
  );

  useEffect(() => {
    if (!isDirty) return;
    const hold = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', hold);
    return () => window.removeEventListener('beforeunload', hold);
  }, [isDirty]);

  return (
    <DiscardDialog
      open={blocker.state === 'blocked'}
      onKeep={() => blocker.reset?.()}
      onDiscard={() => blocker.proceed?.()}
    />
  );
}
