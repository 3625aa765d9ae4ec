import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { renderPart } from '@/testing/render';
import { CodeEditor } from './code-editor';
import { editorLanguages, loadGrammar } from './editor-languages';

interface ExampleProps {
  onChange?: (value: string) => void;
  readOnly?: boolean;
  problem?: string;
  start?: string;
}

function Example({ onChange, readOnly, problem, start = 'one' }: ExampleProps) {
  const [value, setValue] = useState(start);
  const [language, setLanguage] = useState('python');
  return (
    <>
      <CodeEditor
        label="Code of Step 1"
        value={value}
        onChange={(next) => {
          setValue(next);
          onChange?.(next);
        }}
        language={language}
        onLanguage={setLanguage}
        readOnly={readOnly}
        problem={problem}
      />
      <button type="button" onClick={() => setValue('from outside')}>
        Replace
      </button>
    </>
  );
}

/** The field itself, which is in the editor's shadow root. */
async function field(container: HTMLElement): Promise<HTMLElement> {
  return vi.waitFor(() => {
    const hosts = [...container.querySelectorAll('div')].flatMap((div) => div.shadowRoot ?? []);
    const found = hosts[0]?.querySelector<HTMLElement>('[role="textbox"]');
    if (!found) throw new Error('the editor is not there yet');
    return found;
  });
}

const press = (element: HTMLElement, key: string, code: number): boolean =>
  fireEvent.keyDown(element, { key, code: key, keyCode: code });

describe('CodeEditor', () => {
  it('inserts two spaces by Tab, and leaves by Esc and then Tab', async () => {
    const changed = vi.fn();
    const { container } = renderPart(<Example onChange={changed} start="" />);
    const text = await field(container);
    expect(press(text, 'Tab', 9)).toBe(false);
    expect(changed).toHaveBeenLastCalledWith('  ');
    press(text, 'Escape', 27);
    // Not prevented: the browser moves the focus on.
    expect(press(text, 'Tab', 9)).toBe(true);
    expect(changed).toHaveBeenCalledTimes(1);
    fireEvent.blur(text);
    expect(press(text, 'Tab', 9)).toBe(false);
    expect(changed).toHaveBeenLastCalledWith('    ');
  });

  it('offers twelve languages, Python first, and has a grammar for each', async () => {
    const { user } = renderPart(<Example />);
    const choice = screen.getByRole('combobox', { name: 'Language' });
    expect(choice).toHaveTextContent('Python');
    await user.click(choice);
    expect(screen.getAllByRole('option')).toHaveLength(12);
    await user.click(screen.getByRole('option', { name: 'SQL' }));
    expect(choice).toHaveTextContent('SQL');
    for (const language of editorLanguages) expect(await loadGrammar(language)).not.toEqual([]);
    expect(await loadGrammar('cobol')).toEqual([]);
  });

  it('takes a text from outside without telling of a change', async () => {
    const changed = vi.fn();
    const { container, user } = renderPart(<Example onChange={changed} />);
    const text = await field(container);
    expect(text).toHaveTextContent('one');
    await user.click(screen.getByRole('button', { name: 'Replace' }));
    expect(text).toHaveTextContent('from outside');
    expect(changed).not.toHaveBeenCalled();
  });

  it('says its name, its keys and what is wrong', async () => {
    const { container } = renderPart(<Example problem="Please enter code" />);
    const text = await field(container);
    const root = text.getRootNode() as ShadowRoot;
    const described = (text.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => root.getElementById(id)?.textContent);
    expect(text).toHaveAttribute('aria-label', 'Code of Step 1');
    expect(text).toHaveAttribute('aria-invalid', 'true');
    expect(described).toEqual([
      'Please enter code',
      'Tab inserts two spaces. Esc, then Tab, leaves the editor.',
    ]);
  });

  it('changes nothing when it is only for reading', async () => {
    const changed = vi.fn();
    const { container } = renderPart(<Example onChange={changed} readOnly />);
    const text = await field(container);
    expect(press(text, 'Tab', 9)).toBe(true);
    expect(text).toHaveAttribute('aria-readonly', 'true');
    expect(screen.getByRole('combobox', { name: 'Language' })).toBeDisabled();
    expect(changed).not.toHaveBeenCalled();
  });
});
