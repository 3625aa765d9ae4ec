import { Spinner } from '@radix-ui/themes';
import { useSnapshot } from 'valtio';
import { connection as t } from '@/messages/connection';
import { lineState } from '@/stores/connection-store';
import styles from './shell.module.css';

/** A thin bar above the page while the connection is lost, that counts the attempts. Everything stays readable below it. */
export function ConnectionBar() {
  const { connection } = useSnapshot(lineState);
  // The first try is made at once, and says nothing.
  const shown = connection.phase === 'retrying' && connection.attempt > 0;
  return (
    <div role="status">
      {shown && (
        <div className={styles.connection}>
          <Spinner size="1" />
          {t(connection.attempt === 1 ? 'first' : 'again', {
            attempt: connection.attempt,
            of: connection.of,
          })}
        </div>
      )}
    </div>
  );
}
