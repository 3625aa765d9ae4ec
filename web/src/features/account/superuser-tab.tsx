import { Button, Heading, Text } from '@radix-ui/themes';
import { Bug } from 'lucide-react';
import { isDebugMode, setDebugMode } from '@/lib/debug-mode';
import { account as t } from '@/messages/account';
import styles from './account.module.css';

/** The settings that superusers can change for themselves. */
export function SuperuserTab() {
  const isOn = isDebugMode();
  return (
    <section aria-labelledby="debug-mode" className={styles.controls}>
      <Heading as="h2" size="4" id="debug-mode">
        {t('debug.title')}
      </Heading>
      <Text as="p" size="2" color="gray">
        {t('debug.text')}
      </Text>
      <Text as="p" size="2" weight="medium">
        {t(isOn ? 'debug.on' : 'debug.off')}
      </Text>
      <Button
        variant={isOn ? 'soft' : 'solid'}
        onClick={() => {
          setDebugMode(!isOn);
          // The data on the screen were loaded without this setting.
          window.location.reload();
        }}
      >
        <Bug size={16} aria-hidden="true" /> {t(isOn ? 'debug.disable' : 'debug.enable')}
      </Button>
    </section>
  );
}
