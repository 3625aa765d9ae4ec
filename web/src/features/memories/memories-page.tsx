import { Tabs } from '@radix-ui/themes';
import { useSearchParams } from 'react-router';
import { useSnapshot } from 'valtio';
import { Page } from '@/components/page/page';
import { memories as t } from '@/messages/memories';
import { meState } from '@/stores/me-store';
import { FeedbackTab } from './feedback-tab';
import { MemoryAdmin } from './memory-admin';
import styles from './memories.module.css';

/** `/memories`: the feedback on answers, and, for superusers, the memories of the assistant. */
function MemoriesPage() {
  const { user } = useSnapshot(meState);
  const [address, setAddress] = useSearchParams();
  const superuser = user?.isSuperuser === true;
  const tab = superuser && address.get('tab') === 'memories' ? 'memories' : 'feedback';

  return (
    <Page wide title={t('title')} subtitle={t('subtitle')}>
      {/* Each tab has its own filters and pages, so no parameters of the other tab are kept in the address. */}
      <Tabs.Root value={tab} onValueChange={(next) => setAddress(next === 'memories' ? { tab: next } : {})}>
        <Tabs.List>
          <Tabs.Trigger value="feedback">{t('tab.feedback')}</Tabs.Trigger>
          {superuser && <Tabs.Trigger value="memories">{t('tab.memories')}</Tabs.Trigger>}
        </Tabs.List>
        <Tabs.Content value="feedback" className={styles.tab ?? ''}>
          <FeedbackTab />
        </Tabs.Content>
        {superuser && (
          <Tabs.Content value="memories" className={styles.tab ?? ''}>
            <MemoryAdmin />
          </Tabs.Content>
        )}
      </Tabs.Root>
    </Page>
  );
}

export { MemoriesPage as Component };
