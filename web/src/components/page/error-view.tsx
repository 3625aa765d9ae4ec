import { Button, Code, Text } from '@radix-ui/themes';
import { CircleAlert } from 'lucide-react';
import { cx } from '@/lib/cx';
import { common } from '@/messages/common';
import { page as t } from '@/messages/page';
import { EmptyPage } from './empty-page';
import styles from './page.module.css';

interface ErrorViewProps {
  /** What happened, as the heading. */
  title: string;
  /** What it means, and what the user can do. */
  text: string;
  /** Technical detail behind a disclosure, for support. */
  detail?: string;
  onCopy?: () => void;
  action: { label: string; onClick: () => void };
}

/** A page that failed: what happened, what to do next, and the details for support. */
export function ErrorView({ title, text, detail, onCopy, action }: ErrorViewProps) {
  const hasDetail = detail !== undefined && detail !== '';
  return (
    <div className={styles.full} role="alert">
      <EmptyPage
        icon={<CircleAlert size={22} />}
        title={title}
        action={
          <>
            <Button onClick={action.onClick}>{action.label}</Button>
            {onCopy && hasDetail && (
              <Button variant="soft" color="gray" onClick={onCopy}>
                {common('copy')}
              </Button>
            )}
            {hasDetail && (
              <details className={styles.details}>
                <Text asChild size="2" color="gray">
                  <summary>{t('details')}</summary>
                </Text>
                <Code size="2" variant="soft" className={cx(styles.detail)}>
                  {detail}
                </Code>
              </details>
            )}
          </>
        }
      >
        {text}
      </EmptyPage>
    </div>
  );
}
