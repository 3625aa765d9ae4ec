import { Button, Text } from '@radix-ui/themes';
import { RefreshCw } from 'lucide-react';
import { conversation as t } from '@/messages/conversation';
import { catchUp } from '@/stores/conversation-session';
import styles from './behind-bar.module.css';

/** Says that the content may be out of date. It is fetched again automatically; the button does so at once. */
export function BehindBar() {
  return (
    <div className={styles.bar} role="status">
      <RefreshCw size={14} aria-hidden />
      <Text size="2">{t('behind')}</Text>
      <Button size="1" variant="ghost" onClick={() => void catchUp()}>
        {t('behind.now')}
      </Button>
    </div>
  );
}
