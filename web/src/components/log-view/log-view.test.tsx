import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { hostileLogs } from '@/testing/fixtures/components';
import { dangerousElements, renderView } from '@/testing/fixtures/components/render-view';
import { LogView } from './log-view';
import { stripAnsi } from './strip-ansi';

describe('LogView', () => {
  it('is folded at first and counts its lines', async () => {
    const user = userEvent.setup();
    renderView(<LogView text={'one\ntwo\n'} />);
    expect(screen.queryByText(/two/u)).toBeNull();
    const toggle = screen.getByRole('button', { name: /Logs 2 lines/u });
    expect(toggle).toHaveAttribute('aria-expanded', 'false');
    await user.click(toggle);
    expect(toggle).toHaveAttribute('aria-expanded', 'true');
    expect(screen.getByText(/two/u)).toBeVisible();
  });

  it('I07: shows HTML and terminal sequences as text', () => {
    const { container } = renderView(<LogView text={hostileLogs} defaultOpen />);
    const text = container.querySelector('pre')?.textContent ?? '';
    expect(text).toContain('<script>window.__pwned=1</script>');
    expect(text).toContain('INFO  loaded 10482 rows');
    expect(text).toContain('click me');
    expect(text).not.toContain('evil.example');
    expect(text).toContain('doneU+0008U+0008 <b>in</b>');
    // eslint-disable-next-line no-control-regex -- the point of the test
    expect(text).not.toMatch(/[\u001b\u0007\u0008]/u);
    expect(dangerousElements(container.querySelector('pre')!)).toEqual([]);
  });

  it('copies without the sequences and says so', async () => {
    const user = userEvent.setup();
    const onNotice = vi.fn();
    renderView(<LogView text={'\u001b[31mred\u001b[0m'} onNotice={onNotice} />);
    await user.click(screen.getByRole('button', { name: 'Copy logs' }));
    expect(await navigator.clipboard.readText()).toBe('red');
    expect(onNotice).toHaveBeenCalledExactlyOnceWith({ tone: 'success', text: 'Logs copied' });
  });

  it('shows the end of a very long log', () => {
    renderView(<LogView text={`start\n${'x'.repeat(300_000)}\nend`} defaultOpen />);
    expect(screen.getByText(/end$/u)).toBeVisible();
    expect(screen.queryByText(/^start/u)).toBeNull();
    expect(screen.getByText(/characters are not shown/u)).toBeVisible();
  });
});

describe('stripAnsi', () => {
  it.each([
    ['colours', '\u001b[1;31mWARN\u001b[0m x', 'WARN x'],
    ['8-bit colours', '\u009b31mred', 'red'],
    ['cursor moves', 'a\u001b[2Kb\u001b[3;4Hc', 'abc'],
    ['titles', '\u001b]0;title\u0007rest', 'rest'],
    ['links', '\u001b]8;;https://x.example\u001b\\text\u001b]8;;\u001b\\', 'text'],
    ['device strings', '\u001bPq#0\u001b\\after', 'after'],
    ['short escapes', '\u001bcreset', 'reset'],
    ['brackets that are text', '[31m stays', '[31m stays'],
  ])('takes out %s', (_, text, expected) => {
    expect(stripAnsi(text)).toBe(expected);
  });

  it('takes linear time on unfinished sequences', () => {
    const start = performance.now();
    stripAnsi('\u001b]'.repeat(100_000));
    stripAnsi('\u001b['.repeat(100_000));
    expect(performance.now() - start).toBeLessThan(30_000);
  });
});
