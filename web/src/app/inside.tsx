import { Theme } from '@radix-ui/themes';
import { useEffect } from 'react';
import { preloadChoices } from '@/components/choice/choice';
import { preloadMenus } from '@/components/menu/menu';
import { preloadTooltips } from '@/components/tooltip/tooltip';
import { afterFirstLoad } from '@/lib/after-first-load';
import { showCutTexts } from '@/lib/cut-texts';
import { keepInertBehind } from '@/lib/inert-behind';
import { wantToasts } from '@/lib/toasts';
import { Guard } from './guard';
import { Shell } from './shell';
import { useAppearance } from './use-appearance';

/**
 * Loads what no page shows at first and each page will need: it must be loaded before the network fails or a new
 * release is deployed.
 */
function preloadLaterParts(): void {
  wantToasts();
  // Opening one of them tries to load it again, and shows a failure then.
  for (const preload of [preloadMenus, preloadChoices, preloadTooltips]) preload().catch(() => undefined);
  import('@/components/entity-menu/entity-menu-items').catch(() => undefined);
  // Without it a tab that was pressed with the mouse has a ring.
  import('./last-hand').then(({ followHand }) => followHand()).catch(() => undefined);
}

/** The frame around each page for users who are signed in. */
export function Component() {
  const appearance = useAppearance();
  useEffect(() => afterFirstLoad(preloadLaterParts), []);
  useEffect(() => keepInertBehind(), []);
  useEffect(() => showCutTexts(), []);
  return (
    <Theme accentColor="teal" grayColor="slate" radius="medium" appearance={appearance}>
      <Guard>
        <Shell />
      </Guard>
    </Theme>
  );
}
