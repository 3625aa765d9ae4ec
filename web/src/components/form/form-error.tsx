import { Button, Callout } from '@radix-ui/themes';
import { TriangleAlert } from 'lucide-react';
import { useFormState } from 'react-hook-form';
import { common } from '@/messages/common';
import styles from './form.module.css';

interface FormErrorProps {
  /** What the rules say of the form as a whole; what the server says comes first. */
  problem?: string | undefined;
  /** Tries again what has failed, if it was not the sending of the form. */
  onRetry?: (() => void) | undefined;
}

/** The error of the form as a whole. It is shown before the buttons. */
export function FormError({ problem, onRetry }: FormErrorProps) {
  const { errors } = useFormState();
  const message = errors.root?.['server']?.message ?? problem;
  if (message === undefined) return null;
  return (
    <Callout.Root color="red" size="1" role="alert">
      <Callout.Icon>
        <TriangleAlert size={16} />
      </Callout.Icon>
      <Callout.Text className={styles.error ?? ''}>{message}</Callout.Text>
      {onRetry && (
        <Button type="button" size="1" variant="soft" color="red" onClick={onRetry}>
          {common('retry')}
        </Button>
      )}
    </Callout.Root>
  );
}
