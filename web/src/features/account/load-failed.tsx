import { Button } from '@radix-ui/themes';
import { common } from '@/messages/common';
import styles from './account.module.css';

/** A part of the page that could not be loaded, with a button to try again. */
export function LoadFailed({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <div role="alert" className={styles.failed}>
      {text}
      <Button size="1" variant="soft" onClick={onRetry}>
        {common('retry')}
      </Button>
    </div>
  );
}
