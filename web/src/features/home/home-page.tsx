import { Badge, Flex, Text } from '@radix-ui/themes';
import { Clock, ListChecks, MessageSquarePlus } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { useSnapshot } from 'valtio';
import { Page } from '@/components/page/page';
import { formatCount } from '@/lib/format';
import { blueprintsState, countBlueprints } from '@/stores/blueprints-store';
import { meState } from '@/stores/me-store';
import { BlueprintTab } from './blueprint-tab';
import { DataSourceTab } from './datasource-tab';
import styles from './home.module.css';

/** `/` and `/home`: where to begin. */
function HomePage() {
  const { user } = useSnapshot(meState);
  const { total } = useSnapshot(blueprintsState);
  const [search, setSearch] = useSearchParams();
  // Last activity is not there yet, and an address may say anything.
  const activeTab = search.get('activeTab') === 'blueprint' ? 'blueprint' : 'datasource';
  const firstName = user?.fullName.split(' ')[0] ?? '';

  useEffect(() => {
    void countBlueprints();
  }, []);

  return (
    <Page
      title={firstName === '' ? 'Welcome' : `Welcome, ${firstName}`}
      subtitle="Ask your data a question, and watch the answer arrive."
    >
      <ul className={styles.cards}>
        <HomeCard
          icon={<ListChecks size={22} />}
          title="Start with a blueprint"
          text="A prompt in steps, written once"
          {...(total !== null && { tag: formatCount(total) })}
          pressed={activeTab === 'blueprint'}
          onClick={() => setSearch({ activeTab: 'blueprint' }, { replace: true })}
        />
        <HomeCard
          icon={<MessageSquarePlus size={22} />}
          title="Start new conversation"
          text="With or without connectors"
          pressed={activeTab === 'datasource'}
          onClick={() => setSearch({ activeTab: 'datasource' }, { replace: true })}
        />
        <HomeCard
          icon={<Clock size={22} />}
          title="Last activity"
          text="What happened since you were last here"
          tag="Soon"
        />
      </ul>
      {activeTab === 'blueprint' && <BlueprintTab />}
      {activeTab === 'datasource' && <DataSourceTab />}
    </Page>
  );
}

interface HomeCardProps {
  icon: ReactNode;
  title: string;
  text: string;
  tag?: string;
  pressed?: boolean;
  /** Left out for what is not there yet. */
  onClick?: () => void;
}

function HomeCard({ icon, title, text, tag, pressed, onClick }: HomeCardProps) {
  return (
    <li>
      <button
        type="button"
        className={styles.card}
        disabled={!onClick}
        {...(onClick && { 'aria-pressed': pressed === true })}
        onClick={onClick}
      >
        <span className={styles.icon} aria-hidden="true">
          {icon}
        </span>
        <Flex direction="column" gap="1" asChild>
          <span>
            <Text size="3" weight="medium">
              {title} {tag !== undefined && <Badge color="gray">{tag}</Badge>}
            </Text>
            <Text size="2" color="gray">
              {text}
            </Text>
          </span>
        </Flex>
      </button>
    </li>
  );
}

export { HomePage as Component };
