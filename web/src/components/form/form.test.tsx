import { act, screen, waitFor, within } from '@testing-library/react';
import { Link } from 'react-router';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { chosen, optionalText, requiredFile, requiredText } from '@/lib/rules';
import type { SubmitFailure } from '@/lib/submit-failure';
import { hold } from '@/testing/hold';
import { renderAt, renderPart } from '@/testing/render';
import { MonthField, TimeField, WeekdayField } from './calendar-fields';
import { ComboboxField, SeveralField } from './combobox-field';
import { FileField } from './file-field';
import { Form } from './form';
import { FormDialog } from './form-dialog';
import { FormError } from './form-error';
import type { Choice } from './form-types';
import { SelectField } from './select-field';
import { SubmitButton } from './submit-button';
import { SwitchField } from './switch-field';
import { TextArea } from './text-area';
import { TextField } from './text-field';
import { useSchemaForm } from './use-schema-form';

const schema = z.object({
  name: requiredText('Please enter a valid name', 8),
  note: optionalText('The note is too long', 5),
  kind: chosen<string>('Please choose a kind'),
});

type Values = z.output<typeof schema>;
type Save = (values: Values) => Promise<SubmitFailure | null>;

const kinds: readonly Choice<string>[] = [
  { value: 'a', label: 'Alpha', group: 'Greek' },
  { value: 'b', label: 'Beta', group: 'Greek' },
  { value: 'n', label: 'North', group: 'Winds', disabled: true },
];

interface SampleProps {
  onSubmit?: Save;
  onDone?: () => void;
  guard?: boolean;
  readOnly?: boolean;
}

function Sample({ onSubmit = () => Promise.resolve(null), ...rest }: SampleProps) {
  const form = useSchemaForm(schema, { name: '', note: '', kind: null });
  return (
    <Form form={form} onSubmit={onSubmit} {...rest}>
      <TextField
        control={form.control}
        name="name"
        label="Name"
        limit={8}
        required
        description="As on its door"
      />
      <TextArea control={form.control} name="note" label="Note" limit={5} />
      <SelectField control={form.control} name="kind" label="Kind" choices={kinds} />
      <FormError />
      <SubmitButton busyLabel="Saving">Save</SubmitButton>
    </Form>
  );
}

async function chooseKind(user: ReturnType<typeof renderPart>['user'], name: string): Promise<void> {
  await user.click(screen.getByRole('combobox', { name: 'Kind' }));
  await user.click(screen.getByRole('option', { name }));
}

describe('what is wrong', () => {
  it('is shown at its fields when the form is sent, and the first of them gets the focus', async () => {
    const onSubmit = vi.fn<Save>(() => Promise.resolve(null));
    const { user } = renderPart(<Sample onSubmit={onSubmit} />);
    expect(screen.queryByRole('alert')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Save' }));

    const name = screen.getByRole('textbox', { name: /Name/u });
    await waitFor(() => expect(name).toHaveFocus());
    expect(name).toBeInvalid();
    expect(name).toHaveAccessibleDescription('As on its door 0 of 8 characters Please enter a valid name');
    expect(screen.getByRole('combobox', { name: 'Kind' })).toHaveAccessibleDescription(
      'Please choose a kind',
    );
    expect(screen.getByRole('textbox', { name: /Note/u })).toBeValid();
    expect(onSubmit).not.toHaveBeenCalled();
  });

  it('goes as soon as it is corrected', async () => {
    const { user } = renderPart(<Sample />);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('Please enter a valid name');
    await user.type(screen.getByRole('textbox', { name: /Name/u }), 'Blue');
    await waitFor(() => expect(screen.queryByText('Please enter a valid name')).toBeNull());
    expect(screen.getByText('Please choose a kind')).toBeVisible();
  });

  it('counts characters as people do', async () => {
    const { user } = renderPart(<Sample />);
    await user.type(screen.getByRole('textbox', { name: /Note/u }), '👩‍👩‍👧é');
    expect(screen.getByText('2 / 5')).toBeVisible();
    await user.type(screen.getByRole('textbox', { name: /Note/u }), 'abcdef');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('The note is too long')).toBeVisible();
  });
});

describe('what the server says', () => {
  async function refusedBy(failure: SubmitFailure) {
    const view = renderPart(<Sample onSubmit={() => Promise.resolve(failure)} />);
    await view.user.type(screen.getByRole('textbox', { name: /Name/u }), 'Blue');
    await chooseKind(view.user, 'Alpha');
    await view.user.click(screen.getByRole('button', { name: 'Save' }));
    return view;
  }

  it('is at its field, which gets the focus, and goes with the next change', async () => {
    const { user } = await refusedBy({
      message: 'x',
      fields: [{ field: 'name', message: 'This name is taken' }],
    });
    const name = screen.getByRole('textbox', { name: /Name/u });
    expect(await screen.findByText('This name is taken')).toBeVisible();
    await waitFor(() => expect(name).toHaveFocus());
    expect(screen.queryByText('x')).toBeNull();
    await user.type(name, '2');
    await waitFor(() => expect(screen.queryByText('This name is taken')).toBeNull());
  });

  it('is at the form if it has no field here', async () => {
    await refusedBy({ message: 'x', fields: [{ field: 'owner', message: 'The owner has gone' }] });
    expect(await screen.findByRole('alert')).toHaveTextContent('The owner has gone');
  });

  it('is at the form if it is about the whole, and goes when it is sent again', async () => {
    const { user } = await refusedBy({ message: 'Failed to save', fields: [] });
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to save');
    await user.clear(screen.getByRole('textbox', { name: /Name/u }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Please enter a valid name')).toBeVisible();
    expect(screen.queryByText('Failed to save')).toBeNull();
  });
});

describe('sending', () => {
  it('hands over what the rules made of it, once, however often it is pressed', async () => {
    const answer = hold();
    const onSubmit = vi.fn<Save>(() => answer.held.then(() => null));
    const onDone = vi.fn();
    const { user } = renderPart(<Sample onSubmit={onSubmit} onDone={onDone} />);
    await chooseKind(user, 'Beta');
    await user.type(screen.getByRole('textbox', { name: /Name/u }), '  Blue {Enter}');
    const busy = await screen.findByRole('button', { name: 'Saving' });
    expect(busy).toHaveAttribute('aria-disabled', 'true');
    await user.click(busy);
    await user.type(screen.getByRole('textbox', { name: /Name/u }), '{Enter}');
    expect(onDone).not.toHaveBeenCalled();

    await act(async () => {
      answer.release();
      await answer.held;
    });
    await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
    expect(onSubmit.mock.calls).toEqual([[{ name: 'Blue', note: '', kind: 'b' }]]);
    expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled();
  });

  it('shows a form that cannot be changed, and sends nothing of it', async () => {
    const onSubmit = vi.fn<Save>(() => Promise.resolve(null));
    const { user } = renderPart(<Sample onSubmit={onSubmit} readOnly />);
    const name = screen.getByRole('textbox', { name: /Name/u });
    expect(name).toHaveAttribute('readonly');
    expect(screen.getByRole('combobox', { name: 'Kind' })).toBeDisabled();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(onSubmit).not.toHaveBeenCalled();
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('leaving with unsaved changes', () => {
  function page(props: SampleProps = {}) {
    return renderAt('/edit', {
      '/edit': (
        <>
          <Link to="/other">Elsewhere</Link>
          <Sample guard {...props} />
        </>
      ),
      '/other': <p>The other page</p>,
    });
  }

  it('asks, and stays when the person keeps editing', async () => {
    const { user, where } = page();
    await user.type(screen.getByRole('textbox', { name: /Name/u }), 'Blue');
    await user.click(screen.getByRole('link', { name: 'Elsewhere' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Discard your changes?' });
    await user.click(within(dialog).getByRole('button', { name: 'Keep editing' }));
    expect(where()).toBe('/edit');
    expect(screen.getByRole('textbox', { name: /Name/u })).toHaveValue('Blue');
  });

  it('goes when the person discards them', async () => {
    const { user, where } = page();
    await user.type(screen.getByRole('textbox', { name: /Name/u }), 'Blue');
    await user.click(screen.getByRole('link', { name: 'Elsewhere' }));
    await user.click(await screen.findByRole('button', { name: 'Discard changes' }));
    expect(await screen.findByText('The other page')).toBeVisible();
    expect(where()).toBe('/other');
  });

  it('asks nothing when nothing was changed, or all was saved', async () => {
    const { user, where } = page();
    await user.type(screen.getByRole('textbox', { name: /Name/u }), 'Blue');
    await chooseKind(user, 'Alpha');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Save' })).not.toHaveAttribute('aria-disabled', 'true'),
    );
    await user.click(screen.getByRole('link', { name: 'Elsewhere' }));
    await waitFor(() => expect(where()).toBe('/other'));
  });

  it('makes the browser ask before the window is closed', async () => {
    const { user } = page();
    const closing = () => {
      const event = new Event('beforeunload', { cancelable: true });
      window.dispatchEvent(event);
      return event.defaultPrevented;
    };
    expect(closing()).toBe(false);
    await user.type(screen.getByRole('textbox', { name: /Name/u }), 'Blue');
    expect(closing()).toBe(true);
    await user.clear(screen.getByRole('textbox', { name: /Name/u }));
    expect(closing()).toBe(false);
  });
});

describe('a form in a dialog', () => {
  const onClose = vi.fn();
  function InDialog({ onSubmit = () => Promise.resolve(null) }: { onSubmit?: Save }) {
    const form = useSchemaForm(schema, { name: 'Blue', note: '', kind: 'a' });
    return (
      <FormDialog
        title="Edit room"
        description="What others see."
        form={form}
        submitLabel="Save"
        onSubmit={onSubmit}
        onClose={onClose}
      >
        <TextField control={form.control} name="name" label="Name" />
      </FormDialog>
    );
  }

  it('closes when it has been saved', async () => {
    const { user } = renderPart(<InDialog />);
    await user.click(
      within(screen.getByRole('dialog', { name: 'Edit room' })).getByRole('button', { name: 'Save' }),
    );
    await waitFor(() => expect(onClose).toHaveBeenCalled());
  });

  it('stays with what the server said against it', async () => {
    onClose.mockClear();
    const { user } = renderPart(
      <InDialog onSubmit={() => Promise.resolve({ message: 'Failed', fields: [] })} />,
    );
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed');
    expect(onClose).not.toHaveBeenCalled();
  });

  it('asks before Escape loses what was typed', async () => {
    onClose.mockClear();
    const { user } = renderPart(<InDialog />);
    await user.type(screen.getByRole('textbox', { name: 'Name' }), '!');
    await user.keyboard('{Escape}');
    expect(onClose).not.toHaveBeenCalled();
    await user.click(await screen.findByRole('button', { name: 'Discard changes' }));
    expect(onClose).toHaveBeenCalledOnce();
  });
});

describe('a select', () => {
  it('shows its groups, and refuses what cannot be chosen', async () => {
    const { user } = renderPart(<Sample />);
    await user.click(screen.getByRole('combobox', { name: 'Kind' }));
    expect(within(screen.getByRole('group', { name: 'Greek' })).getAllByRole('option')).toHaveLength(2);
    expect(screen.getByRole('option', { name: 'North' })).toHaveAttribute('aria-disabled', 'true');
  });

  it('asks for more at the end of its list', async () => {
    const onMore = vi.fn();
    function Long() {
      const form = useSchemaForm(z.object({ kind: chosen<string>('x') }), { kind: null });
      return (
        <Form form={form} onSubmit={() => Promise.resolve(null)}>
          <SelectField
            control={form.control}
            name="kind"
            label="Kind"
            choices={kinds}
            onMore={onMore}
            loadingMore
            maxHeight={200}
          />
        </Form>
      );
    }
    const { user } = renderPart(<Long />);
    await user.click(screen.getByRole('combobox', { name: 'Kind' }));
    expect(screen.getByRole('status', { name: 'Loading' })).toBeVisible();
    onMore.mockClear();
    const list =
      screen.getByRole('listbox').querySelector('[data-radix-select-viewport]') ??
      screen.getByRole('listbox');
    list.dispatchEvent(new Event('scroll'));
    await waitFor(() => expect(onMore).toHaveBeenCalled());
  });
});

describe('a combobox', () => {
  const lists = z.object({ one: chosen<number>('Please choose one'), several: z.array(z.number()) });
  const fruit: readonly Choice<number>[] = [
    { value: 1, label: 'Apple', detail: 'red or green' },
    { value: 2, label: 'Pear' },
    { value: 3, label: 'Plum' },
  ];
  const onSubmit = vi.fn(() => Promise.resolve(null));
  function Boxes({ onSearch, max }: { onSearch?: (words: string) => void; max?: number }) {
    const form = useSchemaForm(lists, { one: null, several: [] });
    return (
      <Form form={form} onSubmit={onSubmit}>
        <ComboboxField
          control={form.control}
          name="one"
          label="Fruit"
          choices={fruit}
          onSearch={onSearch}
          clearable
        />
        <SeveralField control={form.control} name="several" label="Basket" choices={fruit} max={max} />
        <SubmitButton>Save</SubmitButton>
      </Form>
    );
  }

  it('is opened, searched and chosen from by the keyboard alone', async () => {
    onSubmit.mockClear();
    const { user } = renderPart(<Boxes />);
    await user.tab();
    expect(screen.getByRole('combobox', { name: 'Fruit' })).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('combobox', { name: 'Search in Fruit' })).toHaveFocus();
    await user.keyboard('p');
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
      'Applered or green',
      'Pear',
      'Plum',
    ]);
    await user.keyboard('l{ArrowDown}{Enter}');
    await waitFor(() => expect(screen.getByRole('combobox', { name: 'Fruit' })).toHaveTextContent('Plum'));
    expect(screen.queryByRole('listbox')).toBeNull();
    await waitFor(() => expect(screen.getByRole('combobox', { name: 'Fruit' })).toHaveFocus());
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(onSubmit).toHaveBeenCalledWith({ one: 3, several: [] }));
  });

  it('says when nothing is found, and can be cleared', async () => {
    const { user } = renderPart(<Boxes />);
    await user.click(screen.getByRole('combobox', { name: 'Fruit' }));
    await user.keyboard('xyz');
    expect(await screen.findByText('No results found. Change search request and try again')).toBeVisible();
    await user.keyboard('{Backspace}{Backspace}{Backspace}{Enter}');
    await user.click(await screen.findByRole('button', { name: 'Clear Fruit' }));
    expect(screen.getByRole('combobox', { name: 'Fruit' })).toHaveTextContent('Choose');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Please choose one')).toBeVisible();
    await waitFor(() => expect(screen.getByRole('combobox', { name: 'Fruit' })).toHaveFocus());
  });

  it('chooses several, which stay in view and can be taken out', async () => {
    const { user } = renderPart(<Boxes />);
    await user.click(screen.getByRole('combobox', { name: 'Basket' }));
    await user.click(screen.getByRole('option', { name: /Apple/u }));
    await user.click(screen.getByRole('option', { name: 'Plum' }));
    expect(screen.getByRole('option', { name: 'Plum' })).toBeChecked();
    await user.keyboard('{Escape}');
    const chosenOnes = await screen.findByRole('list', { name: 'Chosen: Basket' });
    expect(
      within(chosenOnes)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['Apple', 'Plum']);
    await user.click(screen.getByRole('button', { name: 'Remove Apple' }));
    expect(screen.getByRole('combobox', { name: 'Basket' })).toHaveTextContent('1 chosen');
  });

  it('takes no more than its number', async () => {
    const { user } = renderPart(<Boxes max={1} />);
    await user.click(screen.getByRole('combobox', { name: 'Basket' }));
    await user.click(screen.getByRole('option', { name: 'Pear' }));
    expect(screen.getByRole('option', { name: 'Plum' })).toHaveAttribute('aria-disabled', 'true');
    expect(screen.getByRole('option', { name: 'Pear' })).toHaveAttribute('aria-disabled', 'false');
  });

  it('leaves the search to the server when it has one', async () => {
    const onSearch = vi.fn();
    const { user } = renderPart(<Boxes onSearch={onSearch} />);
    await user.click(screen.getByRole('combobox', { name: 'Fruit' }));
    await user.keyboard('qu');
    expect(onSearch).toHaveBeenLastCalledWith('qu');
    expect(screen.getAllByRole('option')).toHaveLength(3);
    await user.keyboard('{Escape}');
    expect(onSearch).toHaveBeenLastCalledWith('');
  });
});

describe('other fields', () => {
  const others = z.object({
    on: z.boolean(),
    file: requiredFile('Please select a file'),
    time: chosen<string>('Please select a time'),
    day: chosen<number>('Please select a day of the week'),
    month: chosen<number>('Please select a month'),
  });
  const onSubmit = vi.fn(() => Promise.resolve(null));
  function Others() {
    const form = useSchemaForm(others, { on: false, file: null, time: null, day: null, month: null });
    return (
      <Form form={form} onSubmit={onSubmit}>
        <SwitchField control={form.control} name="on" label="Active" description="It runs" />
        <FileField control={form.control} name="file" label="File" hint=".json" />
        <TimeField control={form.control} name="time" label="Time" />
        <WeekdayField control={form.control} name="day" label="Day" />
        <MonthField control={form.control} name="month" label="Month" />
        <SubmitButton>Save</SubmitButton>
      </Form>
    );
  }

  it('are filled in and handed over', async () => {
    const { user } = renderPart(<Others />);
    await user.click(screen.getByRole('switch', { name: 'Active' }));
    const file = new File(['{}'], 'key.json');
    await user.upload(screen.getByLabelText('File'), file);
    expect(screen.getByText('key.json')).toBeVisible();
    const pick = async (name: string, option: string) => {
      await user.click(screen.getByRole('combobox', { name }));
      await user.click(screen.getByRole('option', { name: option }));
    };
    await pick('Time', '2:30 PM');
    await pick('Day', 'Sunday');
    await pick('Month', 'December');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(onSubmit).toHaveBeenCalledWith({ on: true, file, time: '14:30', day: 0, month: 12 }),
    );
  });

  it('take a dropped file, and give it back', async () => {
    const { user } = renderPart(<Others />);
    const zone = screen.getByLabelText('File').parentElement!;
    const drop = new Event('drop', { bubbles: true, cancelable: true });
    Object.assign(drop, { dataTransfer: { files: [new File(['x'], 'dropped.pem')] } });
    act(() => {
      zone.dispatchEvent(drop);
    });
    expect(drop.defaultPrevented).toBe(true);
    expect(await screen.findByText('dropped.pem')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Remove dropped.pem' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Please select a file')).toBeVisible();
    await waitFor(() => expect(screen.getByLabelText('File')).toHaveFocus());
  });
});
