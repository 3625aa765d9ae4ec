import { Kbd } from '@radix-ui/themes';
import { Fragment } from 'react';
import { keys as t } from '@/messages/keys';
import styles from './keys.module.css';

interface KeysProps {
  /** As `lib/hotkeys` writes them: `mod+k`, `g h`, `Escape`. */
  keys: string;
}

const isMac = /Mac|iPhone|iPad/u.test(navigator.userAgent);

/** The names of keys whose name is not the character that they type. */
function nameOf(key: string): string {
  switch (key) {
    case 'mod':
      return isMac ? '⌘' : t('ctrl');
    case 'alt':
      return isMac ? '⌥' : 'Alt';
    case 'shift':
      return isMac ? '⇧' : t('shift');
    case 'Enter':
      return '↵';
    case 'Escape':
      return 'Esc';
    case 'ArrowUp':
      return '↑';
    case 'ArrowDown':
      return '↓';
    case 'ArrowLeft':
      return '←';
    case 'ArrowRight':
      return '→';
    default:
      return key.length === 1 ? key.toUpperCase() : key;
  }
}

/** Keys as they are labelled on the keyboard: those that are pressed together, and those that follow each other. */
export function Keys({ keys }: KeysProps) {
  return (
    <span className={styles.keys}>
      {keys.split(' ').map((step, place) => (
        <Fragment key={`${step}${place}`}>
          {place > 0 && <span className={styles.then}>{t('then')}</span>}
          {step.split('+').map((key) => (
            <Kbd key={key} size="2">
              {nameOf(key)}
            </Kbd>
          ))}
        </Fragment>
      ))}
    </span>
  );
}
