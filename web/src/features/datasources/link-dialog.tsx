import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useSnapshot } from 'valtio';
import * as z from 'zod/mini';
import { limitsOfCorrectionRequest as limits } from '@/api/limits.gen';
import { ComboboxField } from '@/components/form/combobox-field';
import { FormDialog } from '@/components/form/form-dialog';
import type { Choice } from '@/components/form/form-types';
import { TextField } from '@/components/form/text-field';
import { useSchemaForm } from '@/components/form/use-schema-form';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { labelIn } from '@/lib/meaning-label';
import { chosen, optionalText } from '@/lib/rules';
import type { Meaning } from '@/lib/wire';
import { useSourceList } from '@/lib/use-source-list';
import { meaning as t } from '@/messages/meaning';
import { dataSources } from '@/stores/datasources-store/sources';
import { correct, loadMeaning, meaningState } from '@/stores/meaning-store';

const schema = z.object({
  source: chosen<number>(t('ask.link.source.required')),
  end: chosen<string>(t('ask.link.end.required')),
  reason: optionalText(t('ask.reason.long'), limits.reason.characters),
});

/** So many columns are listed at once; the search finds the others. */
const columnsMax = 200;

interface LinkDialogProps {
  sourceId: number;
  /** The column that leads there. */
  table: string;
  column: string;
  /** The column as people write it. */
  label: string;
  onClose: () => void;
}

/** Adds a link from a column to a column of another table, of this connector or of another one. */
export function LinkDialog({ sourceId, table, column, label, onClose }: LinkDialogProps) {
  const form = useSchemaForm(schema, { source: sourceId, end: null, reason: '' });
  const source = useWatch({ control: form.control, name: 'source' });
  const [words, setWords] = useState('');
  const held = useSnapshot(meaningState).byId;
  const there = source === null ? undefined : held[source];
  const here = held[sourceId]?.meaning ?? null;
  const others = there?.meaning ? columnsOf(there.meaning, source === sourceId ? table : '') : [];
  const sources = useLinkable(sourceId);

  return (
    <FormDialog
      title={t('ask.link', { column: label })}
      form={form}
      submitLabel={t('ask.save')}
      maxWidth="440px"
      onSubmit={async ({ source: to, end, reason }) => {
        const value = to === sourceId ? end : `s${to}.${end}`;
        const refused = await correct(sourceId, { table, column, field: 'link', value, reason });
        return refused === '' ? null : { message: refused, fields: [] };
      }}
      onClose={onClose}
    >
      <ComboboxField
        control={form.control}
        name="source"
        label={t('ask.link.source')}
        required
        disabled={here === null}
        {...sources}
        onChosen={(id) => {
          form.setValue('end', null);
          if (id !== null && held[id]?.meaning == null) void loadMeaning(id);
        }}
      />
      <ComboboxField
        control={form.control}
        name="end"
        label={t('ask.link.end')}
        description={there?.status === 'failed' ? t('failed') : undefined}
        required
        choices={matching(others, words).slice(0, columnsMax)}
        known={others}
        loading={there?.status === 'fetching'}
        onSearch={setWords}
      />
      <TextField control={form.control} name="reason" label={t('ask.reason')} />
    </FormDialog>
  );
}

/** The columns that a link can lead to, as `customers.id`. */
function columnsOf({ tables }: DeepReadonly<Meaning>, without: string): Choice<string>[] {
  return tables
    .filter(({ table }) => table !== without)
    .flatMap((table) =>
      table.columns.map(({ name }) => ({
        value: `${table.table}.${name}`,
        label: labelIn(table, name),
        detail: table.name,
      })),
    );
}

function matching(choices: readonly Choice<string>[], words: string): readonly Choice<string>[] {
  const needle = words.trim().toLocaleLowerCase();
  if (needle === '') return choices;
  return choices.filter(({ value, label, detail }) =>
    `${value}\n${label}\n${detail ?? ''}`.toLocaleLowerCase().includes(needle),
  );
}

/** The connectors that a link can lead to: this one, and if it is a file, all others that are files. */
function useLinkable(sourceId: number) {
  const [words, setWords] = useState('');
  const { items, status, more } = useSourceList(dataSources, 'all', null, words);
  const own: Choice<number> = { value: sourceId, label: t('ask.link.here') };
  const isFile = useSnapshot(dataSources.state).byId[sourceId]?.hasFile === true;
  const files = isFile ? items.filter(({ id, hasFile }) => hasFile && id !== sourceId) : [];
  return {
    choices: [own, ...files.map(({ id, name }) => ({ value: id, label: name }))],
    known: [own],
    loading: status === 'fetching' || more?.loading === true,
    onSearch: setWords,
    onMore: more?.onMore,
  };
}
