import { Callout } from '@radix-ui/themes';
import { TriangleAlert } from 'lucide-react';
import { formatTenths, worriesOf, type Worry } from '@/lib/cluster';
import { cluster as t } from '@/messages/cluster';
import styles from './cluster.module.css';
import { namesOf, type ShownNode } from './node-columns';

/** A line for everything that is not as it should be, as below the table of `parley status`. */
export function Worries({ nodes }: { nodes: readonly ShownNode[] }) {
  const worries = nodes.flatMap(worriesOf);
  return (
    // The element is always there, so that what appears in it is read out.
    <div role="status" aria-label={t('worries')}>
      {worries.length > 0 && (
        <Callout.Root color="amber" size="1">
          <Callout.Icon>
            <TriangleAlert size={16} aria-hidden="true" />
          </Callout.Icon>
          <ul className={styles.worries}>
            {worries.map((worry) => (
              <li key={`${worry.about} ${worry.node.node}`}>{textOf(worry)}</li>
            ))}
          </ul>
        </Callout.Root>
      )}
    </div>
  );
}

function textOf({ about, node, seconds }: Worry): string {
  return t(`worry.${about}`, {
    name: node.name,
    names: namesOf(node.silentFor),
    time: formatTenths(seconds),
  });
}
