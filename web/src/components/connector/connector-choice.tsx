import { Text } from '@radix-ui/themes';
import { formatDay } from '@/lib/format';
import { AddConnectorCard, ConnectorToggleCard, type ConnectorSummary } from './connector-card';
import { ConnectorGrid } from './connector-grid';
import { ShowMore } from './show-more';

interface ConnectorChoiceProps {
  connectors: readonly ConnectorSummary[];
  isChosen: (id: number) => boolean;
  onToggle: (id: number) => void;
  /** Asks for a new connector. */
  onAdd: () => void;
  /** Shows more of them; `null` where all are shown. */
  more: (() => void) | null;
  /** A search found nothing. */
  nothingFound: boolean;
  /** The distance of what stands below the cards. */
  gap: '3' | '4';
}

/** Cards of connectors to choose from, and one that adds another. */
export function ConnectorChoice(props: ConnectorChoiceProps) {
  const { connectors, isChosen, onToggle, onAdd, more, nothingFound, gap } = props;
  return (
    <>
      <ConnectorGrid label="Connectors">
        <li>
          <AddConnectorCard onClick={onAdd} />
        </li>
        {connectors.map((connector) => (
          <li key={connector.id}>
            <ConnectorToggleCard
              connector={connector}
              note={formatDay(connector.updatedAt)}
              selected={isChosen(connector.id)}
              onToggle={onToggle}
            />
          </li>
        ))}
      </ConnectorGrid>
      <ShowMore more={more} gap={gap} />
      {nothingFound && (
        <Text as="p" size="2" color="gray" mt={gap}>
          No results found. Change search request and try again
        </Text>
      )}
    </>
  );
}
