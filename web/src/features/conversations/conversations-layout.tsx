import { Outlet, useMatch } from 'react-router';
import { paths } from '@/lib/paths';
import { useIsNarrow } from '@/lib/use-media-query';
import { ConversationList } from './conversation-list';
import styles from './conversations.module.css';

/** The list next to the conversation; in a narrow window only one of them is shown. */
function ConversationsLayout() {
  const narrow = useIsNarrow();
  const atList = useMatch({ path: paths.conversations, end: true }) !== null;
  return (
    <div className={styles.layout}>
      {(!narrow || atList) && <ConversationList narrow={narrow} />}
      {(!narrow || !atList) && (
        <div className={styles.main}>
          <Outlet />
        </div>
      )}
    </div>
  );
}

export { ConversationsLayout as Component };
