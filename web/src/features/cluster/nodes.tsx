import { Badge } from '@radix-ui/themes';
import { TrendDot } from '@/components/chart/trend-dot';
import sideways from '@/components/surface/sideways.module.css';
import { stateOf, type NodeState } from '@/lib/cluster';
import { cx } from '@/lib/cx';
import { useMediaQuery } from '@/lib/use-media-query';
import { cluster as t } from '@/messages/cluster';
import styles from './cluster.module.css';
import { nodeColumns, type ShownNode } from './node-columns';

const colors: Readonly<Record<NodeState, 'green' | 'amber' | 'red' | 'gray'>> = {
  serving: 'green',
  draining: 'amber',
  silent: 'red',
  ended: 'red',
  unknown: 'gray',
};

interface NodesProps {
  nodes: readonly ShownNode[];
  /** All names that were seen: the place of a name is its colour in the charts. */
  names: readonly string[];
  /** When the figures were read, in ms. */
  now: number;
}

/** The nodes as a table; on a phone, where a table of so many columns cannot be read, one below the other. */
export function Nodes({ nodes, names, now }: NodesProps) {
  const onPhone = useMediaQuery('(max-width: 599px)');
  const columns = nodeColumns(nodes.length - 1, now);
  if (onPhone) {
    return (
      <ul className={styles.cards} aria-label={t('nodes')}>
        {nodes.map((node) => (
          <li key={node.node} className={styles.card}>
            <div className={styles.head}>
              <NodeName node={node} names={names} />
              <State node={node} />
            </div>
            <dl className={styles.facts}>
              {columns.map(({ label, text }) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>{text(node)}</dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    );
  }
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- where it scrolls sideways the keys must reach it
    <div className={cx(styles.scroll, sideways.table)} role="group" tabIndex={0} aria-label={t('nodes')}>
      <table className={styles.nodes}>
        <thead>
          <tr>
            <th scope="col" className={styles.text}>
              {t('column.name')}
            </th>
            <th scope="col" className={styles.text}>
              {t('column.state')}
            </th>
            {columns.map(({ label, isText }) => (
              <th key={label} scope="col" className={cx(isText && styles.text)}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {nodes.map((node) => (
            <tr key={node.node}>
              <th scope="row" className={styles.text}>
                <NodeName node={node} names={names} />
              </th>
              <td className={styles.text}>
                <State node={node} />
              </td>
              {columns.map(({ label, isText, text }) => (
                <td key={label} className={cx(isText && styles.text)}>
                  {text(node)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface NodeProps {
  node: ShownNode;
}

function NodeName({ node, names }: NodeProps & { names: readonly string[] }) {
  return (
    <span className={styles.name} title={node.node}>
      <TrendDot color={names.indexOf(node.name)} />
      <span>{node.name}</span>
    </span>
  );
}

function State({ node }: NodeProps) {
  const state = stateOf(node);
  return (
    <Badge color={colors[state]} variant="soft" className={styles.state}>
      {t(`state.${state}`)}
    </Badge>
  );
}
