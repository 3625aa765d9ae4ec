import { Theme } from '@radix-ui/themes';
import { useEffect } from 'react';
import { preloadChoices } from '@/components/choice/choice';
import { preloadMenus } from '@/components/menu/menu';
import { preloadTooltips } from '@/components/tooltip/tooltip';
import { afterFirstLoad } from '@/lib/after-first-load';
import { keepInertBehind } from '@/lib/inert-behind';
import { wantToasts } from '@/lib/toasts';
import { Guard } from './guard';
import { Shell } from './shell';
import { useAppearance } from './use-appearance';

/** What no page shows at first and each will need: it must be here before the network goes, or a new release comes. */
function bringWhatWillBeUsed(): void {
  wantToasts();
  // Opening one loads it again, and a failure is shown then.
  for (const preload of [preloadMenus, preloadChoices, preloadTooltips]) preload().catch(() => undefined);
}

/** What stands around each page of those who are signed in. */
export function Component() {
  const appearance = useAppearance();
  useEffect(() => afterFirstLoad(bringWhatWillBeUsed), []);
  useEffect(() => keepInertBehind(), []);
  return (
    <Theme accentColor="teal" grayColor="slate" radius="medium" appearance={appearance}>
      <Guard>
        <Shell />
      </Guard>
    </Theme>
  );
}
