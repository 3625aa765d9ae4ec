import { Theme } from '@radix-ui/themes';
import { useEffect } from 'react';
import { afterFirstLoad } from '@/lib/after-first-load';
import { keepInertBehind } from '@/lib/inert-behind';
import { wantToasts } from '@/lib/toasts';
import { Guard } from './guard';
import { Shell } from './shell';
import { useAppearance } from './use-appearance';

/** What stands around each page of those who are signed in. */
export function Component() {
  const appearance = useAppearance();
  useEffect(() => afterFirstLoad(wantToasts), []);
  useEffect(() => keepInertBehind(), []);
  return (
    <Theme accentColor="teal" grayColor="slate" radius="medium" appearance={appearance}>
      <Guard>
        <Shell />
      </Guard>
    </Theme>
  );
}
