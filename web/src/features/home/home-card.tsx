import { Badge, Text } from '@radix-ui/themes';
import type { ReactNode } from 'react';
import styles from './home.module.css';

interface HomeCardProps {
  icon: ReactNode;
  title: string;
  text: string;
  tag?: string;
  pressed?: boolean;
  /** Left out for a card whose target does not exist yet. */
  onClick?: () => void;
}

/** One of the ways to begin. */
export function HomeCard({ icon, title, text, tag, pressed, onClick }: HomeCardProps) {
  return (
    <li>
      <button
        type="button"
        className={styles.card}
        disabled={!onClick}
        {...(onClick && { 'aria-pressed': pressed === true })}
        onClick={onClick}
      >
        <span className={styles.icon} aria-hidden="true">
          {icon}
        </span>
        <span className={styles.cardText}>
          <Text size="2" weight="medium">
            {title} {tag !== undefined && <Badge color="gray">{tag}</Badge>}
          </Text>
          <Text size="1" color="gray">
            {text}
          </Text>
        </span>
      </button>
    </li>
  );
}
