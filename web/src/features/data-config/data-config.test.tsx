import { readFileSync } from 'node:fs';
import { screen, waitFor, within } from '@testing-library/react';
import { toast, Toaster } from '@/testing/toasts';
import { beforeEach, describe, expect, it } from 'vitest';
import { renderPart } from '@/testing/render';
import { api, http, HttpResponse, problem, server } from '@/testing/server';
import { Component as DataConfigPage } from './data-config-page';

const secrets = api('memory/secrets');

function open() {
  return renderPart(
    <>
      <DataConfigPage />
      <Toaster />
    </>,
  );
}

const name = () => screen.getByRole('textbox', { name: /Name/u });
const file = () => screen.getByLabelText(/File/u);
const submit = () => screen.getByRole('button', { name: 'Submit' });

// A toast stays when its page is left.
beforeEach(() => void toast.dismiss());

describe('the form', () => {
  it('asks for a name and a file', async () => {
    const { user } = open();
    await user.click(submit());
    expect(await screen.findByText('Please enter a valid name')).toBeVisible();
    expect(screen.getByText('Please select a file')).toBeVisible();
    await waitFor(() => expect(name()).toHaveFocus());
  });

  it('takes a name of 80 characters, and none of 81', async () => {
    const { user } = open();
    await user.click(name());
    await user.paste('x'.repeat(81));
    await user.click(submit());
    expect(await screen.findByText('Please enter a valid name')).toBeVisible();
    expect(screen.getByText('81 / 80')).toBeVisible();
    await user.keyboard('{Backspace}');
    await waitFor(() => expect(screen.queryByText('Please enter a valid name')).toBeNull());
  });

  it.each([
    [new File([], 'empty.json'), 'Please select a file'],
    [new File([new Uint8Array(64 * 1024 + 1)], 'large.json'), 'The file is larger than 64 kB'],
  ])('refuses the file %#', async (given, message) => {
    const { user } = open();
    await user.upload(file(), given);
    await user.click(submit());
    expect(await screen.findByText(message)).toBeVisible();
  });
});

it('hands over name and file, thanks, and is empty again; the thanks can be dismissed', async () => {
  const sent: Record<string, unknown>[] = [];
  server.use(
    http.post(secrets, async ({ request }) => {
      const form = await request.formData();
      sent.push({
        fields: [...form.keys()],
        name: form.get('name'),
        content: await (form.get('file') as File).text(),
      });
      return HttpResponse.json({ id: '1', name: 'Warehouse', createdAt: '' }, { status: 201 });
    }),
  );
  const { user } = open();
  await user.type(name(), ' Warehouse ');
  await user.upload(file(), new File(['{"key":1}'], 'key.json'));
  await user.click(submit());
  const thanks = await screen.findByText('Thank you. “Warehouse” has been uploaded and stored encrypted.');
  // The name comes first, because the server reads it before the file.
  expect(sent).toEqual([{ fields: ['name', 'file'], name: 'Warehouse', content: '{"key":1}' }]);
  expect(name()).toHaveValue('');
  expect(screen.queryByText('key.json')).toBeNull();
  expect(screen.getByText('Drop a file here, or choose one')).toBeVisible();
  await user.click(within(screen.getByRole('status')).getByRole('button', { name: 'Dismiss' }));
  expect(thanks).not.toBeInTheDocument();
});

it('has the button that dismisses the thanks in their corner, and not in that of the page', () => {
  const { container } = open();
  // jsdom reads no style sheets on its own.
  const sheet = document.createElement('style');
  sheet.textContent = readFileSync('src/features/data-config/data-config.module.css', 'utf8');
  container.append(sheet);
  expect(screen.getByRole('status')).toHaveStyle({ position: 'relative' });
});

it('says when it failed, and keeps what was filled in', async () => {
  server.use(http.post(secrets, () => problem(503, 'unavailable', 'This node has no key')));
  const { user } = open();
  await user.type(name(), 'Warehouse');
  await user.upload(file(), new File(['x'], 'key.json'));
  await user.click(submit());
  expect(await screen.findByText('Failed to upload file')).toBeInTheDocument();
  expect(await screen.findByRole('alert')).toHaveTextContent('This node has no key');
  expect(name()).toHaveValue('Warehouse');
  expect(screen.getByText('key.json')).toBeVisible();
});

it('shows at its field what the server says of it', async () => {
  server.use(
    http.post(secrets, () => problem(422, 'invalid', '', [{ field: 'name', message: 'This name is taken' }])),
  );
  const { user } = open();
  await user.type(name(), 'Warehouse');
  await user.upload(file(), new File(['x'], 'key.json'));
  await user.click(submit());
  expect(await screen.findByText('This name is taken')).toBeVisible();
  await waitFor(() => expect(name()).toHaveFocus());
  expect(screen.queryByText('Failed to upload file')).toBeNull();
});
