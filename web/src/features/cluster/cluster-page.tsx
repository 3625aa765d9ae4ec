import { Button, Callout, Skeleton } from '@radix-ui/themes';
import { CircleAlert, Server } from 'lucide-react';
import { useSnapshot } from 'valtio';
import { EmptyState } from '@/components/empty-state/empty-state';
import { Page } from '@/components/page/page';
import { locale } from '@/lib/locale';
import { useWhileVisible } from '@/lib/use-while-visible';
import { cluster as t } from '@/messages/cluster';
import { common } from '@/messages/common';
import { clusterState, loadCluster } from '@/stores/cluster-store';
import styles from './cluster.module.css';
import { Nodes } from './nodes';
import { Trends } from './trends';
import { Worries } from './worries';

/** The nodes report every two seconds, so asking more often shows nothing more. */
const pause = 2_000;

const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });

/** `/cluster`: the nodes of the server and their figures, while one looks. For those who operate the server. */
function ClusterPage() {
  useWhileVisible(loadCluster, pause);
  return (
    <Page title={t('title')} subtitle={t('subtitle')} wide>
      <div className={styles.page}>
        <ClusterContent />
      </div>
    </Page>
  );
}

function ClusterContent() {
  const { status, cluster, readAt, names, samples } = useSnapshot(clusterState);
  if (cluster === null && status === 'failed') {
    return (
      <div role="alert">
        <EmptyState
          icon={<CircleAlert size={22} />}
          title={t('failed')}
          action={<Button onClick={() => void loadCluster()}>{common('retry')}</Button>}
        />
      </div>
    );
  }
  if (cluster === null) {
    return (
      <div role="status" aria-label={t('loading')}>
        <Skeleton height="160px" />
      </div>
    );
  }
  return (
    <>
      {status === 'failed' && (
        <Callout.Root color="red" size="1" role="alert">
          <Callout.Icon>
            <CircleAlert size={16} aria-hidden="true" />
          </Callout.Icon>
          <Callout.Text>{t('failed.since', { time: clock.format(readAt) })}</Callout.Text>
        </Callout.Root>
      )}
      {cluster.nodes.length === 0 ? (
        <EmptyState icon={<Server size={22} />} title={t('none')}>
          {t('none.text')}
        </EmptyState>
      ) : (
        <>
          <Nodes nodes={cluster.nodes} names={names} now={readAt} />
          <Worries nodes={cluster.nodes} />
        </>
      )}
      <Trends samples={samples.list} names={names} />
    </>
  );
}

export { ClusterPage as Component };
