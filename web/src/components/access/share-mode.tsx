import { RadioGroup, Text } from '@radix-ui/themes';
import { access as t } from '@/messages/access';
import styles from './access.module.css';

/** With whom something is shared. Sharing with the whole organisation is listed, but cannot be chosen yet. */
export function ShareMode() {
  return (
    <RadioGroup.Root value="users" size="2" aria-label={t('mode')} className={styles.mode ?? ''}>
      <RadioGroup.Item value="users">{t('mode.users')}</RadioGroup.Item>
      <RadioGroup.Item value="organization" disabled>
        {t('mode.organization')}{' '}
        <Text size="1" color="gray">
          {t('mode.organization.soon')}
        </Text>
      </RadioGroup.Item>
    </RadioGroup.Root>
  );
}
