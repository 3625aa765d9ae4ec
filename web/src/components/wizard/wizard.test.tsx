import { screen, waitFor, within } from '@testing-library/react';
import { Toaster } from '@/testing/toasts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { TextField } from '@/components/form/text-field';
import { useSchemaForm } from '@/components/form/use-schema-form';
import { requiredText } from '@/lib/rules';
import type { SubmitFailure } from '@/lib/submit-failure';
import { renderPart } from '@/testing/render';
import { Wizard } from './wizard';

const schema = z.object({
  blueprint: requiredText('Please choose a blueprint'),
  name: requiredText('Please enter a valid name', 80),
});
const onSubmit = vi.fn<(values: z.output<typeof schema>) => Promise<SubmitFailure | null>>();
const onClose = vi.fn();

function Sample() {
  const form = useSchemaForm(schema, { blueprint: '', name: '' });
  return (
    <>
      <Wizard
        title="Schedule task"
        description="Runs a blueprint by itself."
        form={form}
        steps={[
          {
            id: 'blueprint',
            label: 'Select blueprint',
            fields: ['blueprint'],
            content: <TextField control={form.control} name="blueprint" label="Blueprint" />,
          },
          {
            id: 'schedule',
            label: 'Schedule task',
            fields: ['name'],
            content: <TextField control={form.control} name="name" label="Name" />,
          },
        ]}
        submitLabel="Create"
        busyLabel="Creating"
        onSubmit={onSubmit}
        onClose={onClose}
      />
      <Toaster />
    </>
  );
}

beforeEach(() => {
  onClose.mockReset();
  onSubmit.mockReset().mockResolvedValue(null);
});

const currentStep = () =>
  within(screen.getByRole('list', { name: 'Steps' })).getByRole('listitem', { current: 'step' });

describe('the way through', () => {
  it('continues only when the step is right, and says what is missing', async () => {
    const { user } = renderPart(<Sample />);
    expect(screen.queryByRole('button', { name: 'Back' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(await screen.findByText('Please complete the required fields')).toBeInTheDocument();
    expect(screen.getByText('Please choose a blueprint')).toBeVisible();
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Blueprint' })).toHaveFocus());
    // The fields of the second step are not required here.
    expect(currentStep()).toHaveTextContent('Select blueprint');

    await user.type(screen.getByRole('textbox', { name: 'Blueprint' }), 'Weekly');
    await waitFor(() => expect(screen.queryByText('Please choose a blueprint')).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await waitFor(() => expect(currentStep()).toHaveTextContent('Schedule task'));
    await waitFor(() => expect(screen.getByRole('group', { name: 'Schedule task' })).toHaveFocus());
    expect(screen.getByText('Step 2 of 2')).toBeVisible();
    expect(screen.queryByText('Please enter a valid name')).toBeNull();
  });

  it('goes back with what was filled in', async () => {
    const { user } = renderPart(<Sample />);
    await user.type(screen.getByRole('textbox', { name: 'Blueprint' }), 'Weekly{Enter}');
    await user.click(await screen.findByRole('button', { name: 'Back' }));
    expect(await screen.findByRole('textbox', { name: 'Blueprint' })).toHaveValue('Weekly');
    expect(currentStep()).toHaveTextContent('Select blueprint');
  });

  it('checks all of it before it is sent', async () => {
    const { user } = renderPart(<Sample />);
    await user.type(screen.getByRole('textbox', { name: 'Blueprint' }), 'Weekly{Enter}');
    await user.click(await screen.findByRole('button', { name: 'Create' }));
    expect(await screen.findByText('Please enter a valid name')).toBeVisible();
    expect(onSubmit).not.toHaveBeenCalled();
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Monday report{Enter}');
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(onSubmit).toHaveBeenCalledWith({ blueprint: 'Weekly', name: 'Monday report' });
  });
});

it('goes to the step of the field that the server refuses', async () => {
  onSubmit.mockResolvedValue({ message: '', fields: [{ field: 'blueprint', message: 'It needs inputs' }] });
  const { user } = renderPart(<Sample />);
  await user.type(screen.getByRole('textbox', { name: 'Blueprint' }), 'Weekly{Enter}');
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Monday report{Enter}');
  expect(await screen.findByText('It needs inputs')).toBeVisible();
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Blueprint' })).toHaveFocus());
  expect(onClose).not.toHaveBeenCalled();
});

it('asks before Escape loses what was typed', async () => {
  const { user } = renderPart(<Sample />);
  await user.type(screen.getByRole('textbox', { name: 'Blueprint' }), 'W{Escape}');
  expect(onClose).not.toHaveBeenCalled();
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
  expect(await screen.findByRole('textbox', { name: 'Blueprint' })).toHaveValue('W');
});
