import { TriangleAlert, X } from 'lucide-react';
import { connectors as t } from '@/messages/connectors';
import styles from './connector.module.css';

interface ConnectorTagProps {
  name: string;
  /** It is not there any more, and the name says so. */
  gone?: boolean;
  /** Left out where the connector cannot be taken away. */
  onRemove?: (() => void) | undefined;
}

/** A connector by name, small. */
export function ConnectorTag({ name, gone = false, onRemove }: ConnectorTagProps) {
  return (
    <span className={styles.tag} data-gone={gone || undefined} title={name}>
      {gone && <TriangleAlert size={12} aria-hidden="true" />}
      <span>{name}</span>
      {onRemove && (
        <button
          type="button"
          className={styles.tagRemove}
          aria-label={t('remove', { name })}
          onClick={onRemove}
        >
          <X size={12} />
        </button>
      )}
    </span>
  );
}
