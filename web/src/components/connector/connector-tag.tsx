import { X } from 'lucide-react';
import { connectors as t } from '@/messages/connectors';
import styles from './connector.module.css';

interface ConnectorTagProps {
  name: string;
  /** Left out where the connector cannot be taken away. */
  onRemove?: (() => void) | undefined;
}

/** A connector by name, small. */
export function ConnectorTag({ name, onRemove }: ConnectorTagProps) {
  return (
    <span className={styles.tag} title={name}>
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
