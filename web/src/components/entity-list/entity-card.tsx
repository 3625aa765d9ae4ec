import { Avatar, Text } from '@radix-ui/themes';
import { Check, Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import card from '@/components/surface/card.module.css';
import { Tooltip } from '@/components/tooltip/tooltip';
import { cx } from '@/lib/cx';
import { initials } from '@/lib/format';
import { entityList as t } from '@/messages/entity-list';
import type { EntityCardContent, EntityOpening } from './entity';
import { mainMark } from './use-arrow-keys';
import styles from './entity-card.module.css';

/** The state of a card in a selection. */
export interface CardChoice {
  selected: boolean;
  disabled: boolean;
  locked: boolean;
  onToggle: () => void;
}

interface EntityCardProps {
  name: string;
  content: EntityCardContent;
  /** What a press on the card does; in a selection it selects the card. */
  opening: EntityOpening | null;
  choice: CardChoice | null;
  /** Buttons at the foot. They appear on hover and on focus, and are always visible on devices without a mouse. */
  actions?: ReactNode;
}

/** An entity as a card of one height. Its whole surface is one link, or button, with its name. */
export function EntityCard({ name, content, opening, choice, actions }: EntityCardProps) {
  const { icon, description, facts, owner, notice, body, muted = false } = content;
  const shown = facts.filter((fact) => fact !== null && fact !== undefined && fact !== '' && fact !== false);
  const fixed = choice !== null && (choice.disabled || choice.locked);
  return (
    <article
      className={cx(card.frame, styles.card, muted && styles.muted)}
      aria-label={name}
      data-selected={choice?.selected}
      data-fixed={fixed}
    >
      <div className={styles.head}>
        <span className={styles.icon} aria-hidden="true">
          {icon}
        </span>
        <div className={styles.title}>
          <CardMain name={name} opening={opening} choice={choice} />
        </div>
        {choice && (
          <span className={styles.check} aria-hidden="true">
            {choice.locked ? <Lock size={12} /> : <Check size={13} strokeWidth={3} />}
          </span>
        )}
      </div>
      {notice !== undefined && notice !== '' ? (
        <Text as="p" size="2" color="amber" truncate title={notice}>
          {notice}
        </Text>
      ) : (
        description !== undefined && (
          <Text
            as="p"
            size="2"
            color="gray"
            className={cx(styles.description, body !== undefined && styles.short)}
            title={description}
          >
            {/* A line that is empty keeps its height. */}
            {description === '' ? '\u00a0' : description}
          </Text>
        )
      )}
      {body}
      <div className={styles.foot}>
        {owner && (
          <Tooltip content={owner.fullName}>
            {/* The initials mean nothing to screen readers. */}
            <span role="img" aria-label={t('card.owner', { name: owner.fullName })} className={styles.owner}>
              <Avatar
                size="1"
                radius="full"
                fallback={initials(owner.fullName)}
                alt=""
                {...(owner.picture !== undefined && owner.picture !== '' && { src: owner.picture })}
              />
            </span>
          </Tooltip>
        )}
        <div className={styles.facts}>
          {shown.map((fact, place) => (
            <span key={place}>{fact}</span>
          ))}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </div>
    </article>
  );
}

function CardMain({ name, opening, choice }: Pick<EntityCardProps, 'name' | 'opening' | 'choice'>) {
  const main = { ...mainMark, className: cx(card.press, styles.main), title: name };
  const text = <span className={styles.name}>{name}</span>;
  if (choice) {
    return (
      <button
        type="button"
        {...main}
        aria-pressed={choice.selected}
        aria-disabled={choice.disabled || choice.locked}
        onClick={choice.onToggle}
      >
        {text}
      </button>
    );
  }
  if (opening === null) return text;
  if ('to' in opening) {
    return (
      <Link to={opening.to} {...main}>
        {text}
      </Link>
    );
  }
  return (
    <button type="button" {...main} disabled={opening.disabled} onClick={opening.onOpen}>
      {text}
    </button>
  );
}
