import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { hostileCode, pythonCode, sqlCode } from '@/testing/fixtures/components';
import { dangerousElements, renderView } from '@/testing/fixtures/components/render-view';
import { CodeBlock } from './code-block';
import { splitControls } from './visible-controls';
import { highlight } from './highlight';
import { languageLabel } from './languages';

describe('CodeBlock', () => {
  it('shows the code, its language and its title', async () => {
    renderView(<CodeBlock code={pythonCode} language="py" title="revenue.py" />);
    const block = screen.getByRole('group', { name: 'revenue.py' });
    expect(block).toHaveTextContent('Python');
    expect(block.querySelector('code')?.textContent).toBe(pythonCode);
    await waitFor(() => expect(block.querySelector('code .keyword')).toHaveTextContent('import'));
    expect(block.querySelector('code')?.textContent).toBe(pythonCode);
  });

  it('copies the code as it is and says so', async () => {
    const user = userEvent.setup();
    const onNotice = vi.fn();
    renderView(<CodeBlock code={hostileCode} language="python" onNotice={onNotice} />);
    await user.click(screen.getByRole('button', { name: 'Copy code' }));
    expect(await navigator.clipboard.readText()).toBe(hostileCode);
    expect(onNotice).toHaveBeenCalledExactlyOnceWith({ tone: 'success', text: 'Code copied' });
  });

  it('says so when nothing could be copied', async () => {
    const user = userEvent.setup();
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
    Object.assign(document, { execCommand: () => false });
    const onNotice = vi.fn();
    renderView(<CodeBlock code="1" onNotice={onNotice} />);
    await user.click(screen.getByRole('button', { name: 'Copy code' }));
    expect(onNotice).toHaveBeenCalledExactlyOnceWith({ tone: 'error', text: 'Failed to copy' });
  });

  it('I06: marks bidi overrides, escapes and invisible characters', async () => {
    renderView(<CodeBlock code={hostileCode} language="python" />);
    const code = screen.getAllByRole('group')[0]?.querySelector('code');
    const marked = () =>
      [...(code?.querySelectorAll('[data-control]') ?? [])].map((mark) => mark.textContent);
    const all = ['U+202E', 'U+2066', 'U+2069', 'U+2066', 'U+001B', 'U+200B'];
    expect(marked()).toEqual(all);
    expect(screen.getByText('Hidden characters')).toBeVisible();
    await waitFor(() => expect(code?.querySelector('.string')).not.toBeNull());
    expect(marked()).toEqual(all);
    // eslint-disable-next-line no-control-regex -- the point of the test
    expect(code?.textContent).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u001b\u200b]/u);
  });

  it('shows markup in code as text', () => {
    const { container } = renderView(<CodeBlock code={'<img src=x onerror=alert(1)>'} language="html" />);
    expect(container.querySelector('pre img')).toBeNull();
    expect(dangerousElements(container.querySelector('pre')!)).toEqual([]);
  });

  it('folds long code when asked to', async () => {
    const user = userEvent.setup();
    const code = Array.from({ length: 40 }, (_, line) => `line_${line} = ${line}`).join('\n');
    renderView(<CodeBlock code={code} collapsible />);
    expect(screen.queryByText(/line_39/u)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Show all 40 lines' }));
    expect(screen.getByText(/line_39/u)).toBeVisible();
  });
});

describe('highlight', () => {
  it.each([
    ['python', pythonCode],
    ['sql', sqlCode],
    ['json', '{"a": [1, true]}'],
    ['nonsense', 'whatever < this & that'],
  ])('loses nothing of %s', (language, code) => {
    expect(
      highlight(code, language)
        .map((token) => token.text)
        .join(''),
    ).toBe(code);
  });

  it('tells keywords, strings and comments apart', () => {
    const kinds = highlight('x = "a"  # b', 'python').map(({ kind, text }) => [kind, text]);
    expect(kinds).toContainEqual(['string', '"a"']);
    expect(kinds).toContainEqual(['comment', '# b']);
  });
});

describe('splitControls', () => {
  it('leaves ordinary text, tabs, Windows line ends and emoji alone', () => {
    for (const text of ['plain', 'a\tb\nc', 'Größe ≥ 5 €', 'שלום', '👩‍💻 and 🏳️‍🌈']) {
      expect(splitControls(text)).toEqual([{ kind: 'text', text }]);
    }
    expect(splitControls('a\r\nb')).toEqual([{ kind: 'text', text: 'a\nb' }]);
  });

  it('marks joiners between letters, lone carriage returns and tag characters', () => {
    const codes = (text: string) =>
      splitControls(text).flatMap((part) => (part.kind === 'control' ? [part.code] : []));
    expect(codes('a\u200db')).toEqual(['U+200D']);
    expect(codes('hidden\rshown')).toEqual(['U+000D']);
    expect(codes('x\u{e0041}')).toEqual(['U+E0041']);
  });
});

describe('languageLabel', () => {
  it.each([
    ['py', 'Python'],
    ['SQL', 'SQL'],
    [undefined, 'Text'],
    ['constructor', 'constructor'],
    ['x'.repeat(99), 'x'.repeat(24)],
  ])('calls %s %s', (tag, label) => {
    expect(languageLabel(tag)).toBe(label);
  });
});
