import { Badge, Text } from '@radix-ui/themes';
import { Check, Database, FileSpreadsheet, Plus } from 'lucide-react';
import { Link } from 'react-router';
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
}

interface CardBodyProps {
  connector: ConnectorSummary;
  /** The line at the foot, such as the day of the last change. */
  note: string;
  /** Shows the round mark of a selectable card. */
  selectable?: boolean;
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

function CardBody({ connector, note, selectable }: CardBodyProps) {
  const type = connector.type[0] ?? '';
  return (
    <>
      <span className={styles.cardHead}>
        <ConnectorIcon type={type} />
        <span className={styles.cardTitle}>
          <Text as="div" size="3" weight="medium" truncate>
            {connector.name}
          </Text>
          <Text as="span" size="1" color="gray">
            {connector.owner?.fullName}
          </Text>
        </span>
        {selectable === true && (
          <span className={styles.check} aria-hidden="true">
            <Check size={13} strokeWidth={3} />
          </span>
        )}
      </span>
      <Text as="span" size="2" color="gray" className={styles.clamp ?? ''}>
        {connector.description}
      </Text>
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
}

/** A connector that opens its page. */
export function ConnectorLinkCard({ connector, to, note }: ConnectorLinkCardProps) {
  return (
    <Link to={to} className={styles.card}>
      <CardBody connector={connector} note={note} />
    </Link>
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
      <CardBody connector={connector} note={note} selectable />
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
