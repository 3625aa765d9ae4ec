import { Button, Flex, Text, TextArea, TextField } from '@radix-ui/themes';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useSnapshot } from 'valtio';
import { Field } from '@/components/form/field';
import { Page } from '@/components/page/page';
import { ProjectChoice } from '@/components/project/project-choice';
import { connectorTextProblems } from '@/lib/connector-form';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { paths } from '@/lib/paths';
import type { DataSource } from '@/lib/wire';
import { updateDictionary, updateSource } from '@/stores/datasources-store';
import { projectLabelsState } from '@/stores/project-labels-store';

/** The version that the form knows after a change of its own; if it is not the next one, somebody else was there, too. */
function afterOwnChange(held: number, saved: DataSource): number {
  return saved.version === held + 1 ? saved.version : held;
}

/** Changes what is said of a connector: what it is called, what it is, and what its columns mean. */
export function DataSourceEdit({ source }: { source: DeepReadonly<DataSource> }) {
  const { id, dataResourceSet: tables } = source;
  const navigate = useNavigate();
  const { labels } = useSnapshot(projectLabelsState);
  const [form, setForm] = useState({ name: source.name, description: source.description });
  const [projects, setProjects] = useState<readonly number[]>(source.projectLabels.map((label) => label.id));
  const [dictionaries, setDictionaries] = useState<Readonly<Record<number, string>>>({});
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const [checked, setChecked] = useState(false);
  const [busy, setBusy] = useState(false);
  // The one that the form was filled from: what somebody else has changed since is not written over.
  const [version, setVersion] = useState(source.version);
  const broken = connectorTextProblems(form);
  const problems: Readonly<Record<string, string>> = { ...refused, ...(checked && broken) };
  const changedTables = tables.filter(
    ({ id: table, details }) => (dictionaries[table] ?? details) !== details,
  );
  const held = source.projectLabels.map((label) => label.id);
  const said =
    form.name !== source.name ||
    form.description !== source.description ||
    projects.length !== held.length ||
    projects.some((project) => !held.includes(project));

  const leave = (): void => void navigate(paths.dataSource(id), { replace: true });

  function changes() {
    const name = form.name.trim();
    const description = form.description.trim();
    return { name, description, projectLabels: [...projects], version };
  }

  async function save(): Promise<void> {
    setChecked(true);
    setRefused({});
    if (Object.keys(broken).length > 0) return;
    setBusy(true);
    const done = await saveAll();
    setBusy(false);
    if (done) leave();
  }

  async function saveAll(): Promise<boolean> {
    if (said) {
      const saved = await updateSource(id, changes());
      if ('problem' in saved) {
        setRefused(saved.problem.fields);
        return false;
      }
      setVersion((held) => afterOwnChange(held, saved.source));
    }
    let done = true;
    // One after the other: each answers the whole connector.
    for (const table of changedTables) {
      const saved = await updateDictionary(table.id, dictionaries[table.id] ?? '');
      if (saved) setVersion((held) => afterOwnChange(held, saved));
      done &&= saved !== null;
    }
    return done;
  }

  return (
    <Page title={`Edit ${source.name}`}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Flex direction="column" gap="4" maxWidth="720px">
          <Field label="Name" problem={problems['name']}>
            {(ids) => (
              <TextField.Root
                {...ids}
                value={form.name}
                disabled={busy}
                onChange={(event) => setForm({ ...form, name: event.target.value })}
              />
            )}
          </Field>
          <Field label="Description" problem={problems['description']}>
            {(ids) => (
              <TextArea
                {...ids}
                rows={5}
                resize="vertical"
                value={form.description}
                disabled={busy}
                onChange={(event) => setForm({ ...form, description: event.target.value })}
              />
            )}
          </Field>
          <div>
            <Text as="p" size="2" weight="medium" mb="2">
              Projects
            </Text>
            <ProjectChoice projects={labels} value={projects} onChange={setProjects} />
          </div>
          {tables.map((table) => (
            <Field
              key={table.id}
              label={tables.length === 1 ? 'Data dictionary' : `Data dictionary of ${table.name}`}
              problem={undefined}
            >
              {(ids) => (
                <TextArea
                  {...ids}
                  rows={8}
                  resize="vertical"
                  placeholder="column: what its values mean"
                  value={dictionaries[table.id] ?? table.details}
                  disabled={busy}
                  onChange={(event) => setDictionaries({ ...dictionaries, [table.id]: event.target.value })}
                />
              )}
            </Field>
          ))}
          <Flex gap="3" justify="end">
            <Button type="button" variant="soft" color="gray" onClick={leave}>
              Cancel
            </Button>
            <Button type="submit" loading={busy} disabled={!said && changedTables.length === 0}>
              Save changes
            </Button>
          </Flex>
        </Flex>
      </form>
    </Page>
  );
}
