import { Avatar } from '@radix-ui/themes';
import { granteeKey } from '@/lib/access';
import { cx } from '@/lib/cx';
import { initials } from '@/lib/format';
import type { SharedWith } from '@/lib/shared-with';
import styles from './shared-with.module.css';

/** A few overlapping pictures, and how many more there are. The parent names the people for screen readers. */
export function SharedFaces({ shown, more }: Pick<SharedWith, 'shown' | 'more'>) {
  return (
    <span className={styles.faces} aria-hidden="true">
      {shown.map((actor) => (
        <span key={granteeKey(actor)} className={cx(styles.face, actor.type === 'team' && styles.team)}>
          <Avatar
            size="1"
            color="gray"
            radius={actor.type === 'team' ? 'medium' : 'full'}
            fallback={initials(actor.name)}
            alt=""
            {...(actor.picture !== '' && { src: actor.picture })}
          />
        </span>
      ))}
      {more > 0 && <span className={styles.more}>+{more}</span>}
    </span>
  );
}
