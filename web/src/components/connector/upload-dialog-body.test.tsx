import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { hold } from '@/testing/hold';
import { renderPart } from '@/testing/render';
import { UploadDialogBody as UploadDialog } from './upload-dialog-body';
import type { SubmitFailure } from '@/lib/submit-failure';
import type { UploadValues } from './upload-values';

const csv = new File(['a,b\n1,2\n'], 'sales-2025.csv', { type: 'text/csv' });

const broken: SubmitFailure = { fields: [], message: 'Failed to upload file' };

function setup(answer: SubmitFailure | null = null, inConversation = false, explained = broken) {
  const onInspect = vi.fn(() => Promise.resolve({ name: 'x', description: 'Two columns.', delimiter: ';' }));
  const onUpload = vi.fn((_: UploadValues, __: AbortSignal) => Promise.resolve(answer));
  const onOpenChange = vi.fn();
  const rendered = renderPart(
    <UploadDialog
      open
      onOpenChange={onOpenChange}
      accepted={['.csv']}
      maxSize={1 << 20}
      onInspect={onInspect}
      onUpload={onUpload}
      explain={() => explained}
      inConversation={inConversation}
    />,
  );
  const choose = (file: File) => rendered.user.upload(screen.getByLabelText('Choose a file'), file);
  return { onInspect, onUpload, onOpenChange, choose, ...rendered };
}

const submit = () => screen.getByRole('button', { name: 'Add connector' });

describe('UploadDialog', () => {
  it('FillsInWhatTheServerFound, and sendsTheForm', async () => {
    const { user, choose, onUpload, onOpenChange } = setup();
    await choose(csv);
    expect(await screen.findByDisplayValue('Two columns.')).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'File name' })).toHaveValue('sales_2025');
    await user.clear(screen.getByRole('textbox', { name: 'Name' }));
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Sales');
    await user.click(submit());
    const values = onUpload.mock.calls[0]![0];
    expect(values).toMatchObject({ name: 'Sales', description: 'Two columns.', delimiter: ';' });
    expect(values.file.name).toBe('sales_2025.csv');
    expect(onOpenChange).toHaveBeenCalledWith(false);
  });

  it('sends once, however often it is pressed, and again after a failure', async () => {
    const { choose, onUpload, onOpenChange } = setup();
    const { held, release } = hold();
    onUpload.mockImplementationOnce(async () => {
      await held;
      return { fields: [], message: 'It broke' };
    });
    await choose(csv);
    await screen.findByDisplayValue('Two columns.');
    const form = submit().closest('form')!;
    // Three presses at once, before anything is rendered again.
    act(() => {
      for (let press = 0; press < 3; press++) form.requestSubmit();
    });
    fireEvent.submit(form);
    await waitFor(() => expect(onUpload).toHaveBeenCalled());
    expect(onUpload).toHaveBeenCalledTimes(1);
    release();
    expect(await screen.findByText('It broke')).toBeVisible();
    fireEvent.submit(form);
    await waitFor(() => expect(onOpenChange).toHaveBeenCalledWith(false));
    expect(onUpload).toHaveBeenCalledTimes(2);
  });

  it('StopsTheUpload of a dialog that is closed', async () => {
    const { user, choose, onUpload, unmount } = setup();
    onUpload.mockReturnValue(new Promise(() => undefined));
    await choose(csv);
    await screen.findByDisplayValue('Two columns.');
    await user.click(submit());
    const signal = onUpload.mock.calls[0]![1];
    expect(signal.aborted).toBe(false);
    unmount();
    expect(signal.aborted).toBe(true);
  });

  it('TakesADropBesideTheBox, one file of several, and stays open at a press beside it', async () => {
    const { onOpenChange, onInspect } = setup();
    const title = screen.getByRole('heading', { name: 'Add connector' });
    // If the default is not prevented, the browser opens the file instead of the page.
    expect(fireEvent.dragOver(title)).toBe(false);
    const two = new File(['c\n3\n'], 'two.csv', { type: 'text/csv' });
    expect(fireEvent.drop(title, { dataTransfer: { files: [csv, two] } })).toBe(false);
    expect(await screen.findByText('sales-2025.csv')).toBeVisible();
    expect(screen.getByText('One file is taken: the first of the 2.')).toBeVisible();
    expect(onInspect).toHaveBeenCalledTimes(1);
    fireEvent.pointerDown(document.body);
    expect(onOpenChange).not.toHaveBeenCalled();
  });

  it('can be for the conversation alone in which it is opened, and only there', async () => {
    const elsewhere = setup();
    await elsewhere.choose(csv);
    await screen.findByDisplayValue('Two columns.');
    expect(screen.queryByRole('switch')).toBeNull();
    elsewhere.unmount();

    const { user, choose, onUpload } = setup({ fields: [], message: 'It broke' }, true);
    await choose(csv);
    await screen.findByDisplayValue('Two columns.');
    const alone = screen.getByRole('switch', { name: 'Only for this conversation' });
    expect(alone).not.toBeChecked();
    await user.click(submit());
    expect(onUpload.mock.calls[0]![0].conversationOnly).toBe(false);
    await user.click(alone);
    await user.click(submit());
    expect(onUpload.mock.calls[1]![0].conversationOnly).toBe(true);
  });

  it('AsksForAFile', async () => {
    const { user, onUpload } = setup();
    await user.click(submit());
    expect(screen.getByText('Please select a file')).toBeVisible();
    expect(screen.queryByText('Please provide a valid file')).toBeNull();
    expect(onUpload).not.toHaveBeenCalled();
  });

  it('RefusesAFileOfAnotherKind', async () => {
    const { choose, onInspect } = setup();
    // A drop does not check what the input accepts; in this test the input is used in its place.
    screen.getByLabelText('Choose a file').removeAttribute('accept');
    await choose(new File(['MZ'], 'tool.exe'));
    expect(
      await screen.findByText('Error: Unsupported file type. Please upload a valid file format.'),
    ).toBeVisible();
    expect(onInspect).not.toHaveBeenCalled();
  });

  it('SaysThatAFileIsRequired when the only one was refused, and Add is pressed', async () => {
    const { user, choose, onUpload } = setup();
    screen.getByLabelText('Choose a file').removeAttribute('accept');
    await choose(new File(['MZ'], 'tool.exe'));
    await user.click(submit());
    expect(screen.getByText('File is required')).toBeVisible();
    expect(screen.queryByText('Please provide a valid file')).toBeNull();
    expect(onUpload).not.toHaveBeenCalled();
  });

  it('SaysOneThing of an empty file, also when Add is pressed', async () => {
    const { user, choose, onUpload } = setup();
    await choose(new File([], 'nothing.csv'));
    await user.click(submit());
    const alerts = screen.getAllByRole('alert').map((alert) => alert.textContent);
    expect(alerts).toEqual(['Please provide a valid file: nothing.csv is empty']);
    expect(onUpload).not.toHaveBeenCalled();
  });

  it('KeepsWhatTheServerSays of a file that it does not take, also when Add is pressed', async () => {
    const advice = 'Workbooks of Excel 97-2003 (.xls) cannot be read here. In Excel choose Save As.';
    const { user, choose, onInspect, onUpload } = setup(null, false, {
      fields: [{ field: 'file', message: advice }],
      message: advice,
    });
    onInspect.mockRejectedValueOnce(new Error('refused'));
    await choose(new File(['x'], 'old.xls'));
    expect(await screen.findByText(advice)).toBeVisible();
    expect(screen.getByText('old.xls')).toBeVisible();
    expect(screen.queryByRole('textbox', { name: 'Description' })).toBeNull();
    await user.click(submit());
    expect(screen.getByText(advice)).toBeVisible();
    expect(screen.getByText('Please provide a valid file')).toBeVisible();
    expect(onUpload).not.toHaveBeenCalled();
    // Another file replaces it, and the reason disappears.
    await choose(csv);
    expect(await screen.findByDisplayValue('Two columns.')).toBeVisible();
    expect(screen.queryByText(advice)).toBeNull();
  });

  it('KeepsTheFileAndWhatWasTyped when another one is empty or too large', async () => {
    const { user, choose, onInspect } = setup();
    await choose(csv);
    await screen.findByDisplayValue('Two columns.');
    await user.clear(screen.getByRole('textbox', { name: 'Name' }));
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Mine');
    await choose(new File([], 'nothing.csv'));
    expect(await screen.findByText('Please provide a valid file: nothing.csv is empty')).toBeVisible();
    await choose(new File([new Uint8Array((1 << 20) + 1)], 'huge.csv'));
    expect(await screen.findByText('huge.csv is larger than 1 MB')).toBeVisible();
    expect(screen.getByText('sales-2025.csv')).toBeVisible();
    expect(onInspect).toHaveBeenCalledTimes(1);
    // A corrected file replaces the first one; the name that the person typed is kept.
    await choose(new File(['a\n1\n'], 'fixed.csv'));
    expect(await screen.findByText('fixed.csv')).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Mine');
  });

  it('KeepsTheName of a file that the server cannot read', async () => {
    const { choose, onInspect } = setup();
    onInspect.mockRejectedValueOnce(new Error('unreadable'));
    await choose(csv);
    expect(await screen.findByText('Failed to upload file')).toBeVisible();
    expect(screen.getByText('sales-2025.csv')).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('sales-2025');
  });

  it('reads the file again when one tries again, and says one thing at a time', async () => {
    const { user, choose, onInspect, onUpload } = setup();
    const failed = new Error('The server cannot be reached.');
    onInspect.mockRejectedValueOnce(failed).mockRejectedValueOnce(failed);
    await choose(csv);
    await screen.findByText('Failed to upload file');
    // Add also fetches the description that was to be proposed from the file.
    await user.click(submit());
    await waitFor(() => expect(onInspect).toHaveBeenCalledTimes(2));
    const retry = await screen.findByRole('button', { name: 'Try again' });
    expect(screen.getAllByRole('alert')).toHaveLength(1);
    expect(onUpload).not.toHaveBeenCalled();
    await user.click(retry);
    expect(await screen.findByDisplayValue('Two columns.')).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(onInspect).toHaveBeenCalledTimes(3);
  });

  it('reads the file again by itself when the line is back, and keeps the edited name', async () => {
    const { user, choose, onInspect } = setup();
    onInspect.mockRejectedValueOnce(new Error('The server cannot be reached.'));
    await choose(csv);
    await screen.findByText('Failed to upload file');
    await user.clear(screen.getByRole('textbox', { name: 'Name' }));
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Sales');
    fireEvent(window, new Event('online'));
    expect(await screen.findByDisplayValue('Two columns.')).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Sales');
    expect(screen.queryByText('Failed to upload file')).toBeNull();
    fireEvent(window, new Event('online'));
    expect(onInspect).toHaveBeenCalledTimes(2);
  });

  it('FindsFaultWithTheFileNameAtOnce', async () => {
    const { user, choose, onUpload } = setup();
    await choose(csv);
    const name = await screen.findByRole('textbox', { name: 'File name' });
    await user.clear(name);
    expect(screen.getByText('File name cannot be empty')).toBeVisible();
    await user.type(name, 'a/b');
    expect(screen.getByText('The name cannot contain special characters')).toBeVisible();
    await user.click(submit());
    expect(screen.getByText('Please correct the file name before submitting')).toBeVisible();
    expect(onUpload).not.toHaveBeenCalled();
  });

  it('ShowsTheServersWordsBesideTheField', async () => {
    const { user, choose, onOpenChange } = setup({
      fields: [{ field: 'name', message: 'Please enter a valid name' }],
      message: 'Please enter a valid name',
    });
    await choose(csv);
    await screen.findByDisplayValue('Two columns.');
    await user.click(submit());
    expect(await screen.findByText('Please enter a valid name')).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveAccessibleDescription(/valid name/u);
    expect(onOpenChange).not.toHaveBeenCalled();
  });
});
