import { Tooltip } from '@/components/tooltip/tooltip';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { sharedWith } from '@/lib/shared-with';
import type { Grant } from '@/lib/wire';
import { SharedFaces } from './shared-faces';
import styles from './shared-with.module.css';

interface SharedWithProps {
  /** The people and teams with access, the owner among them. */
  grants: readonly DeepReadonly<Grant>[];
  /** Opens the whole list. */
  onOpen: () => void;
}

/** Whom something is shared with: a few pictures and a number, or nothing if it is not shared. */
export function SharedWith({ grants, onOpen }: SharedWithProps) {
  const { shown, more, text } = sharedWith(grants);
  if (text === '') return null;

  return (
    <Tooltip content={text}>
      <button
        type="button"
        className={styles.stack}
        aria-label={text}
        aria-haspopup="dialog"
        onClick={onOpen}
      >
        <SharedFaces shown={shown} more={more} />
      </button>
    </Tooltip>
  );
}
