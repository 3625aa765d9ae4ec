import { Badge, Text } from '@radix-ui/themes';
import { Check, Database, FileSpreadsheet, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ProjectTags, type ProjectSummary } from '@/components/project/project-tag';
import styles from './connector.module.css';

/** What a card shows of a connector. */
export interface ConnectorSummary {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly type: readonly string[];
  readonly scope: string;
  readonly owner: { readonly fullName: string } | null;
  readonly updatedAt: string;
  readonly projectLabels: readonly ProjectSummary[];
  /** What to know before asking it, such as that this server cannot read its file; empty for nothing. */
  readonly notice?: string;
}

interface CardBodyProps {
  connector: ConnectorSummary;
  /** The name: plain where the card is a button, a link where it is not. */
  title: ReactNode;
  /** The line at the foot, such as the day of the last change. */
  note: string;
  /** What stands in the corner: the mark of a selectable card, or buttons. */
  corner: ReactNode;
}

const fileTypes: ReadonlySet<string> = new Set(['csv', 'xls', 'xlsx', 'hyper', 'ppt', 'pptx']);

/** The picture of a kind of connector: a file, or a database. */
function ConnectorIcon({ type }: { type: string }) {
  return (
    <span className={styles.icon} aria-hidden="true">
      {fileTypes.has(type) ? <FileSpreadsheet size={18} /> : <Database size={18} />}
    </span>
  );
}

function CardBody({ connector, title, note, corner }: CardBodyProps) {
  const type = connector.type[0] ?? '';
  return (
    <>
      <span className={styles.cardHead}>
        <ConnectorIcon type={type} />
        <span className={styles.cardTitle}>
          {title}
          <Text as="span" size="1" color="gray">
            {connector.owner?.fullName}
          </Text>
        </span>
        {corner}
      </span>
      <Text as="span" size="2" color="gray" className={styles.twoLines ?? ''}>
        {connector.description}
      </Text>
      {connector.notice !== undefined && connector.notice !== '' && (
        <Text as="span" size="1" color="amber" className={styles.twoLines ?? ''} title={connector.notice}>
          {connector.notice}
        </Text>
      )}
      <ProjectTags projects={connector.projectLabels} />
      <span className={styles.foot}>
        <Badge color="gray" variant="soft">
          {type.toUpperCase()}
        </Badge>
        {connector.scope === 'organization' && <Badge variant="soft">Organization</Badge>}
        <Text as="span" size="1" color="gray" ml="auto">
          {note}
        </Text>
      </span>
    </>
  );
}

interface ConnectorLinkCardProps {
  connector: ConnectorSummary;
  to: string;
  note: string;
  /** Buttons in the corner, beside what a click on the card does. */
  actions?: ReactNode;
}

/** A connector that opens its page. Its whole surface is the link. */
export function ConnectorLinkCard({ connector, to, note, actions }: ConnectorLinkCardProps) {
  return (
    <article className={`${styles.card ?? ''} ${styles.linkCard ?? ''}`} aria-label={connector.name}>
      <CardBody
        connector={connector}
        title={
          <Link to={to} className={styles.name} title={connector.name}>
            <span className={styles.twoLines}>{connector.name}</span>
          </Link>
        }
        note={note}
        corner={actions !== undefined && <span className={styles.actions}>{actions}</span>}
      />
    </article>
  );
}

interface ConnectorToggleCardProps {
  connector: ConnectorSummary;
  note: string;
  selected: boolean;
  onToggle: (id: number) => void;
}

/** A connector that is chosen or not. */
export function ConnectorToggleCard({ connector, note, selected, onToggle }: ConnectorToggleCardProps) {
  return (
    <button
      type="button"
      className={styles.card}
      aria-pressed={selected}
      onClick={() => onToggle(connector.id)}
    >
      <CardBody
        connector={connector}
        title={
          <Text as="span" size="3" weight="medium" title={connector.name} className={styles.twoLines ?? ''}>
            {connector.name}
          </Text>
        }
        note={note}
        corner={
          <span className={styles.check} aria-hidden="true">
            <Check size={13} strokeWidth={3} />
          </span>
        }
      />
    </button>
  );
}

/** The card at the front that makes a new connector. */
export function AddConnectorCard({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" className={`${styles.card ?? ''} ${styles.add ?? ''}`} onClick={onClick}>
      <Plus size={22} aria-hidden="true" />
      <Text size="2" weight="medium">
        Add connector
      </Text>
    </button>
  );
}
