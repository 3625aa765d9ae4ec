import { render, screen } from '@testing-library/react';
import { beforeAll, describe, expect, it, vi } from 'vitest';

const html = `<img src="/x" onerror="window.__pwned = 1"><script>window.__pwned = 1</script>`;
const fill = (drafts: unknown): void => {
  for (const name of ['appearance', 'language', 'singleKeys', 'debug'])
    localStorage.setItem(`parley.${name}`, html);
  sessionStorage.setItem('parley.drafts', JSON.stringify({ owner: html, drafts }));
};

describe('I11: storage that another tab has filled with markup', () => {
  beforeAll(() => fill({ c1: { text: html, dataSources: null, analystId: null, queued: html } }));

  // The modules read the storage once, when they are loaded.
  it('is text in a box, and no language and no appearance', async () => {
    const { Appearance } = await import('./appearance');
    const { languageChoice, language } = await import('@/lib/locale');
    const { isDebugMode } = await import('@/lib/debug-mode');
    const { singleKeysOn } = await import('@/lib/hotkeys');
    const { draftsState } = await import('@/stores/drafts-store');
    const { MessageBox } = await import('@/features/conversations/message-box');
    const { container } = render(
      <Appearance>
        <MessageBox
          text={draftsState.drafts['c1']?.text ?? ''}
          onText={() => undefined}
          onSend={() => undefined}
          onQueue={() => undefined}
          running={false}
          onStop={() => undefined}
          busy={false}
        >
          tags
        </MessageBox>
      </Appearance>,
    );
    expect(screen.getByRole('textbox', { name: 'Message' })).toHaveValue(`${html}\n${html}`);
    expect(container.firstElementChild).toHaveClass('radix-themes light', { exact: true });
    expect([languageChoice(), language, isDebugMode(), singleKeysOn()]).toEqual([
      'browser',
      'en',
      false,
      true,
    ]);
    expect(document.querySelectorAll('img, script')).toHaveLength(0);
    expect(window).not.toHaveProperty('__pwned');
  });
});

it.each([
  ['markup for drafts', html],
  ['markup for one', { c1: html }],
  ['nothing for one', { c1: null }],
  ['markup in every place', { c1: { text: { html }, dataSources: html, analystId: html, queued: [html] } }],
])('I11: %s is an empty box', async (_, drafts) => {
  vi.resetModules();
  fill(drafts);
  const { draftsState } = await import('@/stores/drafts-store');
  const empty = { text: '', dataSources: null, analystId: null, queued: null };
  expect(draftsState.drafts['c1'] ?? empty).toEqual(empty);
});
