import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderPart } from '@/testing/render';
import { CodeEditor } from './code-editor';

vi.mock('./mount-editor', () => {
  throw new Error('the file could not be fetched');
});

it('lets people write in a plain field when the editor cannot be fetched', async () => {
  const changed = vi.fn();
  const { user } = renderPart(
    <CodeEditor label="Code" value="" onChange={changed} language="python" onLanguage={vi.fn()} />,
  );
  await user.type(await screen.findByRole('textbox', { name: 'Code' }), 'x');
  expect(changed).toHaveBeenCalledExactlyOnceWith('x');
  expect(screen.getByText(/could not be loaded/u)).toBeVisible();
});
