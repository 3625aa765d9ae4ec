import { useWatch } from 'react-hook-form';
import type { BlueprintValues } from '@/lib/blueprint-form';
import { parseInputs } from '@/lib/blueprint-message';
import { byIds } from '@/lib/connector-picker';
import { everySource } from '@/lib/datasource-filter';
import { useList } from '@/lib/use-collection';
import { blueprintEditor as t } from '@/messages/blueprint-editor';
import { dataSources as heldSources } from '@/stores/datasources-store/sources';
import type { BlueprintForm } from './editor-form';
import styles from './editor.module.css';

/** The content of each step of the editor, in few words, shown next to the current step. */
export function EditorSummary({
  form,
  of,
}: {
  form: BlueprintForm;
  of: 'general' | 'connectors' | 'inputs' | 'plan';
}) {
  const values = useWatch({ control: form.control }) as BlueprintValues;
  const { items: sources } = useList(heldSources, everySource);
  switch (of) {
    case 'general':
      return (
        <Lines
          lines={[values.name.trim() === '' ? t('summary.untitled') : values.name, values.description]}
        />
      );
    case 'connectors': {
      const names = byIds(sources, values.dataSources).map(({ name }) => name);
      return <Lines lines={[t('summary.connectors', { count: values.dataSources.length }), ...names]} />;
    }
    case 'inputs': {
      const inputs = parseInputs(values.inputParameters);
      const isGiven = values.initialMessage.trim() !== '';
      return (
        <Lines
          lines={[
            t('summary.inputs', { count: inputs.length }),
            inputs.map(({ name }) => name).join(', '),
            t(isGiven ? 'summary.message.own' : 'summary.message.written'),
          ]}
        />
      );
    }
    case 'plan':
      return (
        <Lines
          lines={[
            t('summary.steps', { count: values.steps.length }),
            ...values.steps.map(({ name }, index) => `${index + 1}. ${name}`),
          ]}
        />
      );
  }
}

/** The maximum number of lines of a summary. */
const most = 8;

function Lines({ lines }: { lines: readonly string[] }) {
  const shown = lines.filter((line) => line.trim() !== '');
  return (
    <>
      {shown.slice(0, most).map((line, place) => (
        <div key={place} className={styles.summaryLine}>
          {line}
        </div>
      ))}
      {shown.length > most && <div>…</div>}
    </>
  );
}
