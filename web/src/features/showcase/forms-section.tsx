import { Button, Flex } from '@radix-ui/themes';
import { useState } from 'react';
import * as z from 'zod/mini';
import { DayOfMonthField, MonthField, TimeField, WeekdayField } from '@/components/form/calendar-fields';
import { ComboboxField, SeveralField } from '@/components/form/combobox-field';
import { FileField } from '@/components/form/file-field';
import { Form } from '@/components/form/form';
import { FormDialog } from '@/components/form/form-dialog';
import { FormError } from '@/components/form/form-error';
import type { Choice } from '@/components/form/form-types';
import { SelectField } from '@/components/form/select-field';
import { SubmitButton } from '@/components/form/submit-button';
import { SwitchField } from '@/components/form/switch-field';
import { TextArea } from '@/components/form/text-area';
import { TextField } from '@/components/form/text-field';
import { useSchemaForm } from '@/components/form/use-schema-form';
import { StepForm } from '@/components/step-form/step-form';
import { Wizard } from '@/components/wizard/wizard';
import { chosen, optionalText, requiredFile, requiredText } from '@/lib/rules';
import type { SubmitFailure } from '@/lib/submit-failure';

const everything = z.object({
  name: requiredText('Please enter a valid name', 80),
  note: optionalText('Please enter a shorter note', 300),
  kind: chosen<string>('Please choose a kind'),
  source: chosen<number>('Please choose a source'),
  labels: z.array(z.number()),
  active: z.boolean(),
  time: chosen<string>('Please select a time'),
  day: chosen<number>('Please select a day of the week'),
  monthDay: chosen<number>('Please select a day of the month'),
  month: chosen<number>('Please select a month'),
  file: requiredFile('Please select a file'),
});

const blank: z.input<typeof everything> = {
  name: '',
  note: '',
  kind: null,
  source: null,
  labels: [1, 2],
  active: true,
  time: null,
  day: null,
  monthDay: null,
  month: null,
  file: null,
};

const kinds: readonly Choice<string>[] = [
  { value: 'line', label: 'Lines', group: 'Over time' },
  { value: 'area', label: 'Areas', group: 'Over time' },
  { value: 'bar', label: 'Bars', group: 'By category' },
  { value: 'pie', label: 'Pie', group: 'By category', disabled: true },
];

const sources: readonly Choice<number>[] = [
  { value: 1, label: 'Retail orders', detail: '25,898 rows, one for each order line' },
  { value: 2, label: 'Customer service tickets' },
  {
    value: 3,
    label: 'A source whose name is so long that no button and no tag has the room to show the whole of it',
  },
];

const refused = (): Promise<SubmitFailure> =>
  Promise.resolve({
    message: '',
    fields: [
      { field: 'name', message: 'This name is taken' },
      { field: 'owner', message: 'The owner has left the organization' },
    ],
  });
const saved = (): Promise<null> => Promise.resolve(null);

/** Forms, the wizard and the step form, with every kind of field. */
export function FormsSection() {
  const [open, setOpen] = useState<'dialog' | 'wizard' | null>(null);
  return (
    <Flex direction="column" gap="6">
      <Fields />
      <Flex gap="3">
        <Button variant="soft" onClick={() => setOpen('dialog')}>
          A form in a dialog
        </Button>
        <Button variant="soft" onClick={() => setOpen('wizard')}>
          A wizard
        </Button>
      </Flex>
      {open === 'dialog' && <InDialog onClose={() => setOpen(null)} />}
      {open === 'wizard' && <InWizard onClose={() => setOpen(null)} />}
      <InSteps />
    </Flex>
  );
}

/** Every kind of field; saving it shows the errors of a server that refuses the form. */
function Fields() {
  const form = useSchemaForm(everything, blank);
  const { control } = form;
  return (
    <Flex asChild direction="column" maxWidth="560px">
      <div>
        <Form form={form} onSubmit={refused}>
          <TextField control={control} name="name" label="Name" limit={80} required />
          <TextArea
            control={control}
            name="note"
            label="Note"
            limit={300}
            description="What others should know"
          />
          <SelectField control={control} name="kind" label="Kind" choices={kinds} required />
          <ComboboxField
            control={control}
            name="source"
            label="Source"
            choices={sources}
            clearable
            required
          />
          <SeveralField control={control} name="labels" label="Labels" choices={sources} />
          <SwitchField control={control} name="active" label="Active" description="It runs at its times" />
          <TimeField control={control} name="time" label="Time" />
          <WeekdayField control={control} name="day" label="Day of the week" />
          <DayOfMonthField control={control} name="monthDay" label="Day of the month" />
          <MonthField control={control} name="month" label="Month" />
          <FileField control={control} name="file" label="File" hint="At most 64 kB" />
          <FormError />
          <Flex justify="end">
            <SubmitButton busyLabel="Saving">Save</SubmitButton>
          </Flex>
        </Form>
      </div>
    </Flex>
  );
}

const short = z.object({ name: everything.shape.name, note: everything.shape.note });

function InDialog({ onClose }: { onClose: () => void }) {
  const form = useSchemaForm(short, { name: '', note: '' });
  return (
    <FormDialog
      title="A form in a dialog"
      description="It asks before Escape loses what was typed."
      form={form}
      submitLabel="Save"
      onSubmit={saved}
      onClose={onClose}
    >
      <TextField control={form.control} name="name" label="Name" limit={80} />
      <TextArea control={form.control} name="note" label="Note" limit={300} />
    </FormDialog>
  );
}

function InWizard({ onClose }: { onClose: () => void }) {
  const form = useSchemaForm(short, { name: '', note: '' });
  return (
    <Wizard
      title="A wizard"
      description="One step after the other."
      form={form}
      steps={[
        {
          id: 'name',
          label: 'Name it',
          fields: ['name'],
          content: <TextField control={form.control} name="name" label="Name" limit={80} />,
        },
        {
          id: 'note',
          label: 'Describe it',
          fields: ['note'],
          content: <TextArea control={form.control} name="note" label="Note" limit={300} />,
        },
      ]}
      submitLabel="Create"
      busyLabel="Creating"
      onSubmit={saved}
      onClose={onClose}
    />
  );
}

function InSteps() {
  const form = useSchemaForm(short, { name: 'Weekly report', note: '' });
  const [isOn, setIsOn] = useState(true);
  return (
    <StepForm
      form={form}
      schema={short}
      isNew={false}
      submitLabel="Save"
      busyLabel="Updating"
      onSubmit={saved}
      steps={[
        {
          id: 'general',
          label: 'General',
          fields: ['name'],
          content: <TextField control={form.control} name="name" label="Name" limit={80} />,
          summary: 'Weekly report',
        },
        {
          id: 'summary',
          label: 'Summary specialist',
          fields: ['note'],
          content: <TextArea control={form.control} name="note" label="Note" limit={300} />,
          summary: 'No instructions',
          toggle: { label: 'Use it', isOn, onChange: setIsOn, offText: 'Summary specialist is turned off' },
        },
      ]}
    />
  );
}
