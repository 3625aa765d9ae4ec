import { Badge, Skeleton, Tabs, Text } from '@radix-ui/themes';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { useSnapshot } from 'valtio';
import { Page } from '@/components/page/page';
import { cx } from '@/lib/cx';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { formatCredits } from '@/lib/format';
import type { CreditsInfo } from '@/lib/wire';
import { account as t } from '@/messages/account';
import { meState } from '@/stores/me-store';
import { loadCredits, usageState } from '@/stores/usage-store';
import styles from './account.module.css';
import { LoadFailed } from './load-failed';
import { SuperuserTab } from './superuser-tab';
import { UsageTab } from './usage-tab';

/** `/account`: the usage of the organisation, and the person's settings. */
function AccountPage() {
  const { user } = useSnapshot(meState);
  const { credits } = useSnapshot(usageState);
  useEffect(() => void loadCredits(), []);

  return (
    <Page
      wide
      title={t('title')}
      subtitle={t('subtitle')}
      actions={
        <Badge color="gray" size="2">
          {t('credits.tag', { credits: formatCredits(credits.value?.totalTokensCredit) })}
        </Badge>
      }
    >
      {credits.value === null && credits.status === 'failed' ? (
        <LoadFailed text={t('bars.failed')} onRetry={() => void loadCredits()} />
      ) : credits.value === null ? (
        <Skeleton height="360px" />
      ) : (
        <AccountTabs credits={credits.value} isSuperuser={user?.isSuperuser === true} />
      )}
    </Page>
  );
}

interface AccountTabsProps {
  credits: DeepReadonly<CreditsInfo>;
  isSuperuser: boolean;
}

/** The usage tab is for organisations that pay by usage. */
function AccountTabs({ credits, isSuperuser }: AccountTabsProps) {
  const [address, setAddress] = useSearchParams();
  const usage = credits.plan === 'payAsYouGo';
  const first = usage ? 'usage' : 'superuser';
  const tab = isSuperuser && address.get('tab') === 'superuser' ? 'superuser' : first;
  return (
    <>
      {!usage && <Allowance credits={credits} />}
      {(usage || isSuperuser) && (
        <Tabs.Root
          value={tab}
          onValueChange={(next) => setAddress(next === first ? {} : { tab: next }, { replace: true })}
        >
          <Tabs.List>
            {usage && <Tabs.Trigger value="usage">{t('tab.usage')}</Tabs.Trigger>}
            {isSuperuser && <Tabs.Trigger value="superuser">{t('tab.superuser')}</Tabs.Trigger>}
          </Tabs.List>
          {usage && (
            <Tabs.Content value="usage" className={styles.tab ?? ''}>
              <UsageTab />
            </Tabs.Content>
          )}
          {isSuperuser && (
            <Tabs.Content value="superuser" className={styles.tab ?? ''}>
              <SuperuserTab />
            </Tabs.Content>
          )}
        </Tabs.Root>
      )}
    </>
  );
}

/** The remaining credits of this month, if they are limited. */
function Allowance({ credits }: { credits: DeepReadonly<CreditsInfo> }) {
  return (
    <section className={cx(styles.figure, styles.allowance)} aria-label={t('limited.title')}>
      <Text as="div" size="2" weight="medium">
        {t('limited.title')}
      </Text>
      <div className={styles.value}>{formatCredits(credits.totalTokensCredit)}</div>
      <Text as="div" size="1" color="gray">
        {t('limited.left', {
          left: formatCredits(credits.availableCredits),
          total: formatCredits(credits.totalCredits),
        })}
      </Text>
    </section>
  );
}

export { AccountPage as Component };
