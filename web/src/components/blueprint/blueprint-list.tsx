import { ListChecks } from 'lucide-react';
import type { ComponentProps } from 'react';
import { EntityList } from '@/components/entity-list/entity-list';
import { formatDay } from '@/lib/format';
import type { BlueprintSummary } from './blueprint';
import { blueprintColumns } from './blueprint-columns';
import { blueprintCard, blueprintCardHeight, blueprintWords } from './blueprint-content';

type ListProps<T extends BlueprintSummary> = ComponentProps<typeof EntityList<T>>;

interface BlueprintListProps<T extends BlueprintSummary> extends Omit<
  ListProps<T>,
  'words' | 'card' | 'cardHeight' | 'columns' | 'open' | 'empty' | 'suggestionNote'
> {
  /** The accessible name of the list; left out, `Blueprints`. */
  label?: string;
  showOwner: boolean;
  /** What is under the title of an empty list. */
  empty: string;
  onStart: (id: number) => void;
}

/** Blueprints as cards or rows; choosing one starts it. */
export function BlueprintList<T extends BlueprintSummary>(props: BlueprintListProps<T>) {
  const { label, showOwner, empty, onStart, ...list } = props;
  return (
    <EntityList<T>
      {...list}
      words={blueprintWords(label)}
      card={blueprintCard(showOwner)}
      cardHeight={blueprintCardHeight}
      columns={blueprintColumns(showOwner)}
      open={({ id, abilities }) => ({ onOpen: () => onStart(id), disabled: !abilities.start })}
      suggestionNote={({ updatedAt }) => formatDay(updatedAt)}
      empty={{ icon: <ListChecks size={22} />, text: empty }}
    />
  );
}
