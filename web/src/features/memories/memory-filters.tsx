import { Select } from '@radix-ui/themes';
import { useSnapshot } from 'valtio';
import { isSpecialist, specialists, type MemoryQuery } from '@/lib/memory';
import { memories as t } from '@/messages/memories';
import { memoryWords } from '@/stores/memories-store';

interface MemoryFiltersProps {
  query: MemoryQuery;
  onQuery: (changes: Partial<MemoryQuery>) => void;
}

/** The filters of the list of memories, in addition to its search. */
export function MemoryFilters({ query, onQuery }: MemoryFiltersProps) {
  const { types, labels } = useSnapshot(memoryWords);
  return (
    <>
      <Filter
        label={t('filter.specialist')}
        all={t('filter.specialist.all')}
        value={query.specialist}
        choices={specialists.map((one) => ({ value: one, label: t(`specialist.${one}`) }))}
        onChange={(value) => onQuery({ specialist: isSpecialist(value) ? value : null })}
      />
      <Filter
        label={t('filter.type')}
        all={t('filter.type.all')}
        value={query.type === null ? null : String(query.type)}
        choices={types.map(({ id, name }) => ({ value: String(id), label: name }))}
        onChange={(value) => onQuery({ type: value === null ? null : Number(value) })}
      />
      <Filter
        label={t('filter.label')}
        all={t('filter.label.all')}
        value={query.label === null ? null : String(query.label)}
        choices={labels.map(({ id, name }) => ({ value: String(id), label: name }))}
        onChange={(value) => onQuery({ label: value === null ? null : Number(value) })}
      />
    </>
  );
}

interface FilterProps {
  label: string;
  all: string;
  value: string | null;
  choices: readonly { readonly value: string; readonly label: string }[];
  onChange: (value: string | null) => void;
}

/** Radix does not allow an empty value for an entry. */
const every = ' all';

function Filter({ label, all, value, choices, onChange }: FilterProps) {
  return (
    <Select.Root value={value ?? every} onValueChange={(next) => onChange(next === every ? null : next)}>
      <Select.Trigger aria-label={label} variant="surface" color="gray" />
      <Select.Content position="popper">
        <Select.Item value={every}>{all}</Select.Item>
        {choices.map((choice) => (
          <Select.Item key={choice.value} value={choice.value}>
            {choice.label}
          </Select.Item>
        ))}
      </Select.Content>
    </Select.Root>
  );
}
