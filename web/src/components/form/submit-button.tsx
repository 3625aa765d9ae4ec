import { Button } from '@radix-ui/themes';
import { LoaderCircle } from 'lucide-react';
import { use, type ReactNode } from 'react';
import { useFormState } from 'react-hook-form';
import { FormSettingsContext } from './form-settings';
import styles from './form.module.css';

interface SubmitButtonProps {
  children: ReactNode;
  /** Stands there while it is being sent, such as “Creating”; without it the label stays. */
  busyLabel?: string | undefined;
  /** Sends only what has been changed. */
  onlyChanged?: boolean | undefined;
  disabled?: boolean | undefined;
  variant?: 'solid' | 'soft' | undefined;
  /** Sends all of it where the form's default button does something else. */
  direct?: boolean | undefined;
}

/** Sends the form around it, once: while that is under way it says so and cannot be pressed. */
export function SubmitButton({
  children,
  busyLabel,
  onlyChanged,
  disabled,
  variant = 'solid',
  direct,
}: SubmitButtonProps) {
  const { isSubmitting, isDirty } = useFormState();
  const { submit } = use(FormSettingsContext);
  const idle = disabled === true || (onlyChanged === true && !isDirty);
  return (
    <Button
      type={direct === true ? 'button' : 'submit'}
      variant={variant}
      disabled={idle && !isSubmitting}
      // A disabled button would lose the focus, and with it a person's place.
      aria-disabled={isSubmitting}
      data-busy={isSubmitting}
      className={styles.submit ?? ''}
      {...(direct === true && { onClick: submit })}
    >
      {isSubmitting && <LoaderCircle size={15} aria-hidden="true" className={styles.turning} />}
      {isSubmitting ? (busyLabel ?? children) : children}
    </Button>
  );
}
