import { screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { Toaster } from '@/testing/toasts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { TextField } from '@/components/form/text-field';
import { useSchemaForm } from '@/components/form/use-schema-form';
import { optionalText, requiredText } from '@/lib/rules';
import type { SubmitFailure } from '@/lib/submit-failure';
import { hold } from '@/testing/hold';
import { renderPart } from '@/testing/render';
import { StepForm } from './step-form';

const schema = z.object({
  title: requiredText('Please enter the title.', 80),
  chart: optionalText('Too long', 5),
  plan: z.object({ code: requiredText('Please enter code') }),
});
type Values = z.input<typeof schema>;
const onSubmit = vi.fn<(values: z.output<typeof schema>) => Promise<SubmitFailure | null>>();
const onDone = vi.fn();

interface SampleProps {
  values?: Values;
  readOnly?: boolean;
}

const empty: Values = { title: '', chart: '', plan: { code: '' } };
const filled: Values = { title: 'Report', chart: 'bars', plan: { code: 'x' } };

function Sample({ values = empty, readOnly = false }: SampleProps) {
  const form = useSchemaForm(schema, values);
  const [isOn, setIsOn] = useState(true);
  const isNew = values === empty;
  return (
    <>
      <StepForm
        form={form}
        schema={schema}
        isNew={isNew}
        readOnly={readOnly}
        submitLabel={isNew ? 'Create' : 'Save'}
        busyLabel={isNew ? 'Creating' : 'Updating'}
        onSubmit={onSubmit}
        onDone={onDone}
        steps={[
          {
            id: 'general',
            label: 'General',
            fields: ['title'],
            content: <TextField control={form.control} name="title" label="Title" />,
            summary: 'The summary of General',
          },
          {
            id: 'chart',
            label: 'Chart specialist',
            fields: ['chart'],
            content: <TextField control={form.control} name="chart" label="Chart" />,
            toggle: {
              label: 'Use the chart specialist',
              isOn,
              onChange: setIsOn,
              offText: 'Chart specialist is turned off',
            },
          },
          {
            id: 'plan',
            label: 'Workflow Plan',
            fields: ['plan'],
            content: <TextField control={form.control} name="plan.code" label="Code" />,
          },
        ]}
      />
      <Toaster />
    </>
  );
}

beforeEach(() => {
  onDone.mockReset();
  onSubmit.mockReset().mockResolvedValue(null);
});

const steps = () => within(screen.getByRole('navigation', { name: 'Steps' }));
const heading = () => screen.getByRole('heading', { level: 2 });

describe('a new one', () => {
  it('goes nowhere while it is unchanged', () => {
    renderPart(<Sample />);
    expect(screen.getByRole('button', { name: 'Next' })).toBeDisabled();
    expect(screen.getByRole('button', { name: 'Create' })).toBeDisabled();
    expect(screen.getByRole('button', { name: 'Back' })).toBeDisabled();
    expect(steps().getByRole('button', { name: /General/u })).toHaveAttribute('aria-current', 'step');
    expect(steps().getByRole('button', { name: /Chart/u })).toBeDisabled();
  });

  it('lets one jump as far as all steps before are complete', async () => {
    const { user } = renderPart(<Sample />);
    await user.type(screen.getByRole('textbox', { name: 'Title' }), 'Report');
    expect(screen.getByText('Unsaved changes')).toBeVisible();
    await user.click(steps().getByRole('button', { name: 'Workflow Plan, not complete' }));
    expect(heading()).toHaveTextContent('Workflow Plan');
    expect(screen.queryByRole('button', { name: 'Next' })).toBeNull();
    await user.click(steps().getByRole('button', { name: 'General, complete' }));
    await user.clear(screen.getByRole('textbox', { name: 'Title' }));
    expect(steps().getByRole('button', { name: /Workflow/u })).toBeDisabled();
  });

  it('does not continue from a step with something wrong', async () => {
    const { user } = renderPart(<Sample />);
    const title = screen.getByRole('textbox', { name: 'Title' });
    await user.type(title, 'R{Backspace} ');
    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(await screen.findByText('Please enter the title.')).toBeVisible();
    expect(await screen.findByText('Please complete the required fields')).toBeInTheDocument();
    await waitFor(() => expect(title).toHaveFocus());
  });

  it('continues with Enter, and is sent from its last step', async () => {
    const answer = hold();
    onSubmit.mockImplementation(() => answer.held.then(() => null));
    const { user } = renderPart(<Sample />);
    await user.type(screen.getByRole('textbox', { name: 'Title' }), 'Report{Enter}');
    await waitFor(() => expect(heading()).toHaveTextContent('Chart specialist'));
    expect(onSubmit).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await user.type(await screen.findByRole('textbox', { name: 'Code' }), 'print(1){Enter}');
    expect(await screen.findByRole('button', { name: 'Creating' })).toHaveAttribute('aria-disabled', 'true');
    answer.release();
    await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
    expect(onSubmit).toHaveBeenCalledWith({ title: 'Report', chart: '', plan: { code: 'print(1)' } });
  });

  it('says Updating while what was there before is saved', async () => {
    const answer = hold();
    onSubmit.mockImplementation(() => answer.held.then(() => null));
    const { user } = renderPart(<Sample values={filled} />);
    await user.type(screen.getByRole('textbox', { name: 'Title' }), ' 2');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByRole('button', { name: 'Updating' })).toHaveAttribute('aria-disabled', 'true');
    answer.release();
    await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
  });

  it('goes to the first step with something wrong when it is sent too early', async () => {
    const { user } = renderPart(<Sample />);
    await user.type(screen.getByRole('textbox', { name: 'Title' }), 'Report');
    await user.click(screen.getByRole('button', { name: 'Create' }));
    await waitFor(() => expect(heading()).toHaveTextContent('Workflow Plan'));
    expect(await screen.findByText('Please enter code')).toBeVisible();
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Code' })).toHaveFocus());
    expect(onSubmit).not.toHaveBeenCalled();
  });
});

describe('one that is there', () => {
  it('lets one jump to every step, and saves from each', async () => {
    const { user } = renderPart(<Sample values={filled} />);
    expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled();
    await user.click(steps().getByRole('button', { name: /Chart/u }));
    await user.type(screen.getByRole('textbox', { name: 'Chart' }), '2');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
    expect(onSubmit).toHaveBeenCalledWith({ ...filled, chart: 'bars2' });
    expect(screen.queryByText('Unsaved changes')).toBeNull();
  });

  it('goes to the step of the field that the server refuses', async () => {
    onSubmit.mockResolvedValue({
      message: '',
      fields: [{ field: 'plan.code', message: 'No such language' }],
    });
    const { user } = renderPart(<Sample values={filled} />);
    await user.type(screen.getByRole('textbox', { name: 'Title' }), '2');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('No such language')).toBeVisible();
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Code' })).toHaveFocus());
  });

  it('shows all steps, and changes nothing when it may only be read', async () => {
    const { user } = renderPart(<Sample values={filled} readOnly />);
    expect(screen.getByRole('textbox', { name: 'Title' })).toHaveAttribute('readonly');
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(heading()).toHaveTextContent('Chart specialist');
    expect(screen.getByRole('switch', { name: 'Use the chart specialist' })).toBeDisabled();
  });

  it('shows beside the form what the other steps hold', async () => {
    const { user } = renderPart(<Sample values={filled} />);
    expect(screen.queryByRole('complementary', { name: 'Other steps' })).toBeNull();
    await user.click(steps().getByRole('button', { name: /Workflow/u }));
    const others = within(screen.getByRole('complementary', { name: 'Other steps' }));
    expect(others.getByText('The summary of General')).toBeInTheDocument();
    await user.click(others.getByRole('button', { name: 'General' }));
    expect(heading()).toHaveTextContent('General');
  });
});

it('shows a step that is off, whose fields stand in nobody’s way', async () => {
  const { user } = renderPart(<Sample values={{ ...filled, chart: 'far too long' }} />);
  await user.click(steps().getByRole('button', { name: 'Chart specialist, not complete' }));
  await user.click(screen.getByRole('switch', { name: 'Use the chart specialist' }));
  expect(screen.getByText('Chart specialist is turned off')).toBeVisible();
  expect(screen.queryByRole('textbox', { name: 'Chart' })).toBeNull();
  expect(steps().getByRole('button', { name: 'Chart specialist, off' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Next' })).toBeEnabled();
});

it('refuses a form with a value that no step shows', () => {
  const silent = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const withOwner = { ...empty, owner: '' };
  renderPart(<Sample values={withOwner} />);
  expect(screen.getByText('no step of this form has owner in its fields')).toBeVisible();
  silent.mockRestore();
});
