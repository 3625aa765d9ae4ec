import { Heading } from '@radix-ui/themes';
import { Clock, ListChecks, MessageSquarePlus } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useSnapshot } from 'valtio';
import { byIds } from '@/lib/connector-picker';
import { everySource } from '@/lib/datasource-filter';
import { formatCount } from '@/lib/format';
import { useList } from '@/lib/use-collection';
import { useTitle } from '@/lib/use-title';
import { home as t } from '@/messages/home';
import { blueprintFacts, countBlueprints } from '@/stores/blueprints-store/blueprints';
import { dataSources as held } from '@/stores/datasources-store/sources';
import { changeDraft, draftsState, emptyDraft, homeDraft } from '@/stores/drafts-store';
import { AskSection } from './ask-section';
import { DataSourceTab } from './datasource-tab';
import { HomeCard } from './home-card';
import { RecentConversations } from './recent-conversations';
import styles from './home.module.css';

// The tab of the connectors is the first one.
const BlueprintTab = lazy(async () => ({ default: (await import('./blueprint-tab')).BlueprintTab }));

type Tab = 'blueprint' | 'datasource';

/** `/` and `/home`: ask at once, continue a conversation, or begin with a blueprint or connectors. */
function HomePage() {
  const { total } = useSnapshot(blueprintFacts);
  const { dataSources } = useSnapshot(draftsState).drafts[homeDraft] ?? emptyDraft;
  const { items: sources, more: partial } = useList(held, everySource);
  const [search, setSearch] = useSearchParams();
  const [searching, setSearching] = useState(false);
  // The tab for the last activity does not exist yet, and an address may contain any value.
  const activeTab: Tab = search.get('activeTab') === 'blueprint' ? 'blueprint' : 'datasource';
  // Chosen connectors may have been deleted since; if there are more than the list has, only the server knows.
  const chosen = partial ? [...(dataSources ?? [])] : byIds(sources, dataSources ?? []).map(({ id }) => id);
  useTitle(t('title'));

  useEffect(() => {
    void countBlueprints();
  }, []);

  const show = (activeTab: Tab): void => setSearch({ activeTab }, { replace: true });
  // Reads the current state: an upload ends long after the render that started it.
  const choose = (change: (now: readonly number[]) => readonly number[]): void => {
    const next = change(draftsState.drafts[homeDraft]?.dataSources ?? []);
    changeDraft(homeDraft, { dataSources: next.length === 0 ? null : [...next] });
  };

  return (
    <div className={styles.page}>
      <div className={styles.frame}>
        <div className={styles.column}>
          <Heading as="h1" size="7" weight="bold" className={styles.title ?? ''}>
            {t('heading')}
          </Heading>
          <AskSection
            chosen={chosen}
            onChosen={(ids) => choose(() => ids)}
            onAddConnector={() => {
              show('datasource');
              setSearching(true);
            }}
          />
          <RecentConversations />
        </div>
      </div>
      <div className={styles.wide}>
        <ul className={styles.cards} aria-label={t('cards')}>
          <HomeCard
            icon={<ListChecks size={20} />}
            title={t('card.blueprint')}
            text={t('card.blueprint.text')}
            {...(total !== null && { tag: formatCount(total) })}
            pressed={activeTab === 'blueprint'}
            onClick={() => show('blueprint')}
          />
          <HomeCard
            icon={<MessageSquarePlus size={20} />}
            title={t('card.datasource')}
            text={t('card.datasource.text')}
            pressed={activeTab === 'datasource'}
            onClick={() => show('datasource')}
          />
          <HomeCard
            icon={<Clock size={20} />}
            title={t('card.activity')}
            text={t('card.activity.text')}
            tag={t('card.soon')}
          />
        </ul>
        {activeTab === 'blueprint' && (
          <Suspense fallback={null}>
            <BlueprintTab />
          </Suspense>
        )}
        {activeTab === 'datasource' && (
          <DataSourceTab
            chosen={chosen}
            onChange={choose}
            searching={searching}
            onSearching={() => setSearching(false)}
          />
        )}
      </div>
    </div>
  );
}

export { HomePage as Component };
