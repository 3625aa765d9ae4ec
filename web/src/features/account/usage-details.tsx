import { Heading, Tabs } from '@radix-ui/themes';
import { usageEntities, type UsagePeriod } from '@/lib/usage';
import { account as t } from '@/messages/account';
import styles from './account.module.css';
import { UsageShares } from './usage-shares';

interface UsageDetailsProps {
  /** Only the person's own usage. */
  personal: boolean;
  period: UsagePeriod;
}

/** Who and what used the credits. */
export function UsageDetails({ personal, period }: UsageDetailsProps) {
  return (
    <section aria-labelledby="usage-details" className={styles.details}>
      <Heading as="h2" size="4" id="usage-details" mb="2">
        {t('details')}
      </Heading>
      <Tabs.Root defaultValue="conversation">
        <Tabs.List>
          {usageEntities.map((entity) => (
            <Tabs.Trigger key={entity} value={entity}>
              {t(`details.${entity}`)}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {usageEntities.map((entity) => (
          <Tabs.Content key={entity} value={entity} className={styles.tab ?? ''}>
            <UsageShares key={period} entity={entity} personal={personal} period={period} />
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </section>
  );
}
