import { TriangleAlert, X } from 'lucide-react';
import { connectors as t } from '@/messages/connectors';
import styles from './connector.module.css';

interface ConnectorTagProps {
  name: string;
  /** It does not exist any more, and the name says so. */
  gone?: boolean;
  /** Left out if the connector cannot be removed. */
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
