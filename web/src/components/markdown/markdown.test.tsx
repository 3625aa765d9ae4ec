import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answerMarkdown, hostileMarkdown, longAnswer } from '../../testing/fixtures/components';
import { dangerousElements, renderView } from '../../testing/fixtures/components/render-view';
import { ForeignLinkDialogBody as ForeignLinkDialog } from './foreign-link-dialog-body';
import { Markdown, preloadMarkdown } from './markdown';
import type * as ReadMarkdown from './read-markdown';

const parser = vi.hoisted(() => ({ calls: 0, characters: 0 }));
vi.mock('./read-markdown', async (importOriginal) => {
  const original = await importOriginal<typeof ReadMarkdown>();
  return {
    readMarkdown: (text: string) => {
      parser.calls += 1;
      parser.characters += text.length;
      return original.readMarkdown(text);
    },
  };
});

beforeEach(() => {
  parser.calls = 0;
  parser.characters = 0;
});

afterEach(() => {
  delete (window as { __pwned?: unknown }).__pwned;
});

async function renderSettled(view: React.ReactElement) {
  const result = renderView(view);
  await waitFor(() => expect(result.container.querySelector('.piece, .code')).not.toBeNull());
  return result;
}

describe('Markdown', () => {
  it('draws headings, lists, tables and code', async () => {
    const { container } = await renderSettled(<Markdown text={answerMarkdown} />);
    expect(screen.getByRole('heading', { name: 'What stands out' })).toBeVisible();
    expect(screen.getByText('14.2 %').tagName).toBe('STRONG');
    expect(screen.getByRole('cell', { name: '643,800 €' })).toHaveStyle({ textAlign: 'right' });
    expect(screen.getByRole('group', { name: 'SQL code' })).toHaveTextContent('GROUP BY channel;');
    expect(container.querySelectorAll('li')).toHaveLength(5);
  });

  it('begins its headings at the third level, however they are written', async () => {
    await renderSettled(<Markdown text={'### Sales\n\nMore.\n\n#### By region\n\n## Later\n'} />);
    const levels = screen.getAllByRole('heading').map(({ tagName, textContent }) => [tagName, textContent]);
    expect(levels).toEqual([
      ['H3', 'Sales'],
      ['H4', 'By region'],
      ['H3', 'Later'],
    ]);
  });

  it('draws a table as one, however long it grows, and parses no row again and again', async () => {
    const head = '| shop | units |\n|:--|--:|';
    const rows = Array.from({ length: 900 }, (_, n) => `| shop number ${n} | **${n}** |`);
    const upTo = (count: number): string => `Units:\n\n${head}\n${rows.slice(0, count).join('\n')}`;
    const { container, rerender } = await renderSettled(<Markdown text={upTo(0)} streaming />);
    for (let count = 10; count <= rows.length; count += 10) {
      rerender(<Markdown text={upTo(count)} streaming />);
      expect(container.textContent).not.toContain('|');
    }
    expect(upTo(rows.length).length).toBeGreaterThan(24_000);
    rerender(<Markdown text={`${upTo(rows.length)}\n\nThat is all.`} />);
    await waitFor(() => expect(container).toHaveTextContent('That is all.'));
    expect(container.querySelectorAll('table')).toHaveLength(1);
    expect(container.querySelectorAll('thead tr')).toHaveLength(1);
    expect(container.querySelectorAll('tbody tr')).toHaveLength(900);
    const cell = container.querySelector('tbody tr:nth-child(3) td:last-child');
    expect(cell).toHaveStyle({ textAlign: 'right' });
    expect(cell?.querySelector('strong')).toHaveTextContent('2');
    // Parsing the whole text ninety times would be more than a million.
    expect(parser.characters).toBeLessThan(10 * upTo(rows.length).length);
  });

  it('draws an answer at once when the parser is here already', async () => {
    preloadMarkdown();
    await import('./markdown-pieces');
    const { container } = renderView(<Markdown text="**first** words" />);
    expect(container.querySelector('strong')).toHaveTextContent('first');
    expect(container).not.toHaveTextContent('**');
  });

  it('shows the words at once, before the parser has loaded', () => {
    const { container } = renderView(<Markdown text="**first** words" />);
    expect(container).toHaveTextContent(/first.* words/u);
  });

  it('H03, H04, I02: renders nothing that runs, loads or links by itself', async () => {
    const { container } = await renderSettled(<Markdown text={hostileMarkdown} onForeignLink={vi.fn()} />);
    expect(dangerousElements(container)).toEqual([]);
    expect(container.querySelectorAll('a, img, svg:not(.lucide)')).toHaveLength(0);
    expect(container).toHaveTextContent('<script>window.__pwned=1</script>');
    expect(container).toHaveTextContent('<style>body{background:url(https://evil.example/css)}</style>');
    expect(screen.getByRole('img', { name: 'Image not shown: leak' })).toBeVisible();
    expect(screen.getByRole('img', { name: 'Image not shown: ref' })).toBeVisible();
    expect((window as { __pwned?: unknown }).__pwned).toBeUndefined();
  });

  it('H04: a script address is text, not a link', async () => {
    await renderSettled(
      <Markdown
        text="[click](javascript:alert(1)) [data](data:text/html,x) [mail](mailto:a@b.example)"
        onForeignLink={vi.fn()}
      />,
    );
    expect(screen.getByText('click').tagName).toBe('SPAN');
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('H04: a foreign link shows its host and asks', async () => {
    const user = userEvent.setup();
    const onForeignLink = vi.fn();
    await renderSettled(
      <Markdown
        text={
          '[https://parley.example](https://evil.example/login) and [\u0430pple.com](https://\u0430pple.com/)'
        }
        onForeignLink={onForeignLink}
      />,
    );
    const links = screen.getAllByRole('link');
    expect(links.map((link) => link.textContent)).toEqual([
      'https://parley.exampleevil.example',
      '\u0430pple.comxn--pple-43d.com',
    ]);
    expect(links.every((link) => !link.hasAttribute('href'))).toBe(true);
    await user.click(links[0]!);
    expect(onForeignLink).toHaveBeenCalledExactlyOnceWith({
      url: 'https://evil.example/login',
      host: 'evil.example',
      text: 'https://parley.example',
    });
  });

  it('H04: a foreign link is text when nobody can ask', async () => {
    await renderSettled(<Markdown text="[wiki](https://wiki.example/x)" />);
    expect(screen.queryByRole('link')).toBeNull();
    expect(screen.getByText('wiki.example')).toBeVisible();
  });

  it('follows links within the app without leaving it', async () => {
    const user = userEvent.setup();
    const onNavigate = vi.fn();
    await renderSettled(<Markdown text="[connector](/datasources/3)" onNavigate={onNavigate} />);
    await user.click(screen.getByRole('link', { name: 'connector' }));
    expect(onNavigate).toHaveBeenCalledExactlyOnceWith('/datasources/3');
  });

  it('loads images of our own origin only', async () => {
    await renderSettled(
      <Markdown text="![own](/api/v1/discourse/displayobjects/1/content) ![far](https://evil.example/x.png)" />,
    );
    expect(screen.getByRole('img', { name: 'own' })).toHaveAttribute(
      'src',
      `${window.location.origin}/api/v1/discourse/displayobjects/1/content`,
    );
    expect(screen.getByRole('img', { name: 'Image not shown: far' }).tagName).toBe('SPAN');
  });

  it('reads <br> as a line break and no other tag', async () => {
    const { container } = await renderSettled(<Markdown text={'a<br>b <b>c</b>'} />);
    expect(container.querySelectorAll('br')).toHaveLength(1);
    expect(container).toHaveTextContent('<b>c</b>');
  });

  it('I02: 100,000 levels of nesting are shown as text, the rest of the answer is not harmed', async () => {
    const start = performance.now();
    const { container } = await renderSettled(
      <Markdown text={`**before**\n\n${'>'.repeat(50_000)}\n\n${'['.repeat(40_000)}\n\n**after**`} />,
    );
    await waitFor(() => expect(screen.getByText('after').tagName).toBe('STRONG'));
    expect(screen.getByText('before').tagName).toBe('STRONG');
    expect(container.querySelectorAll('blockquote').length).toBeLessThan(13);
    expect(performance.now() - start).toBeLessThan(60_000);
  });

  it('draws a very long answer in slices', async () => {
    const user = userEvent.setup();
    await renderSettled(<Markdown text={'word '.repeat(30_000)} />);
    const more = screen.getByRole('button', { name: 'Show more (50,000 characters left)' });
    await user.click(more);
    expect(screen.queryByRole('button', { name: /Show more/u })).toBeNull();
  });

  it('shows a cursor only while more is coming', async () => {
    const { container, rerender } = await renderSettled(<Markdown text="so far" streaming />);
    expect(container.querySelector('[data-growing]')).not.toBeNull();
    rerender(<Markdown text="so far" />);
    expect(container.querySelector('[data-growing]')).toBeNull();
    rerender(<Markdown text="" streaming />);
    await waitFor(() => expect(container.querySelector('[data-cursor]')).not.toBeNull());
  });

  it('parses only the growing end of an answer', async () => {
    const text = longAnswer(50_000);
    const { rerender } = await renderSettled(<Markdown text={text.slice(0, 40_000)} streaming />);
    await act(async () => {
      await Promise.resolve();
    });
    parser.calls = 0;
    parser.characters = 0;
    let tokens = 0;
    for (let end = 40_000; end < 40_500; end += 5) {
      act(() => {
        rerender(<Markdown text={text.slice(0, end)} streaming />);
      });
      tokens += 1;
    }
    // One small piece per token. Without the split it would be all 40,000 characters each time.
    expect(parser.calls).toBeLessThan(tokens * 2);
    expect(parser.characters).toBeLessThan(tokens * 400);
  });

  it('parses nothing again when only a callback changes', async () => {
    const { rerender } = await renderSettled(<Markdown text={answerMarkdown} onForeignLink={vi.fn()} />);
    parser.calls = 0;
    rerender(<Markdown text={answerMarkdown} onForeignLink={vi.fn()} />);
    expect(parser.calls).toBe(0);
  });
});

describe('ForeignLinkDialog', () => {
  const link = { url: 'https://evil.example/login?d=1', host: 'evil.example', text: 'Parley' };

  it('asks, and opens without giving the other page a way back', async () => {
    const user = userEvent.setup();
    const open = vi.spyOn(window, 'open').mockReturnValue(null);
    const onClose = vi.fn();
    renderView(<ForeignLinkDialog link={link} onClose={onClose} />);
    expect(screen.getByText('https://evil.example/login?d=1')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Open evil.example' }));
    expect(open).toHaveBeenCalledExactlyOnceWith(link.url, '_blank', 'noopener,noreferrer');
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('opens nothing when declined', async () => {
    const user = userEvent.setup();
    const open = vi.spyOn(window, 'open').mockReturnValue(null);
    const onClose = vi.fn();
    renderView(<ForeignLinkDialog link={link} onClose={onClose} />);
    await user.click(screen.getByRole('button', { name: 'Stay here' }));
    expect(open).not.toHaveBeenCalled();
    expect(onClose).toHaveBeenCalledOnce();
  });
});
