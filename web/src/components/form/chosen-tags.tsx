import { X } from 'lucide-react';
import { form as t } from '@/messages/form';
import type { Choice } from './form-types';
import styles from './form.module.css';

interface ChosenTagsProps<V extends string | number> {
  label: string;
  chosen: readonly Choice<V>[];
  removable: boolean;
  onRemove: (value: V) => void;
}

/** The chosen entries, each with a button to remove it. */
export function ChosenTags<V extends string | number>({
  label,
  chosen,
  removable,
  onRemove,
}: ChosenTagsProps<V>) {
  return (
    <ul className={styles.tags} aria-label={t('chosenOf', { label })}>
      {chosen.map((choice) => (
        <li key={choice.value} className={styles.tag}>
          <span className={styles.tagText} title={choice.label}>
            {choice.label}
          </span>
          {removable && (
            <button
              type="button"
              aria-label={t('remove', { name: choice.label })}
              onClick={() => onRemove(choice.value)}
            >
              <X size={13} aria-hidden="true" />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
