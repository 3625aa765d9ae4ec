import { Button } from '@radix-ui/themes';
import { LoaderCircle } from 'lucide-react';
import { use, type ReactNode } from 'react';
import { useFormState } from 'react-hook-form';
import { FormSettingsContext } from './form-settings';
import styles from './form.module.css';

interface SubmitButtonProps {
  children: ReactNode;
  /** The label while the form is being sent, such as “Creating”; without it the label does not change. */
  busyLabel?: string | undefined;
  /** Only a form with changes can be sent. */
  onlyChanged?: boolean | undefined;
  disabled?: boolean | undefined;
  variant?: 'solid' | 'soft' | undefined;
  /** Submits the whole form if the form's default button does something else. */
  direct?: boolean | undefined;
}

/** Submits the form around it, once: while the request runs, it shows that and cannot be pressed. */
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
      // A disabled button would lose the focus, and the keyboard user would lose the position on the page.
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
