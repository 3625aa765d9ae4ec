import { Tabs } from '@radix-ui/themes';
import { screen } from '@testing-library/react';
import { expect, it, onTestFinished } from 'vitest';
import { renderPart } from '@/testing/render';
import { followHand } from './last-hand';

it('knows when a tab is focused whether a pointer or a key has done it', async () => {
  const end = new AbortController();
  onTestFinished(() => end.abort());
  followHand({ signal: end.signal });
  const found: (string | undefined)[] = [];
  const { user } = renderPart(
    <Tabs.Root
      defaultValue="usage"
      onFocus={() => found.push(document.documentElement.dataset['hand'])}
      // What handles a press itself passes it on to nobody.
      onPointerDown={(event) => event.stopPropagation()}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <Tabs.List>
        <Tabs.Trigger value="usage">Usage</Tabs.Trigger>
        <Tabs.Trigger value="people">People</Tabs.Trigger>
      </Tabs.List>
    </Tabs.Root>,
  );
  await user.click(screen.getByRole('tab', { name: /People/u }));
  await user.keyboard('{ArrowLeft}');
  await user.click(screen.getByRole('tab', { name: /People/u }));
  expect(found).toEqual(['pointer', 'keys', 'pointer']);
});
