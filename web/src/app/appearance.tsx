import { Theme } from '@radix-ui/themes';
import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { Toaster } from 'sonner';
import { useSnapshot } from 'valtio';
import { useMediaQuery } from '@/lib/use-media-query';
import { preferencesState } from '@/stores/preferences-store';

interface AppearanceProps {
  children: ReactNode;
}

/** The theme, light or dark as the person or the system wants it, and the place of the toasts. */
export function Appearance({ children }: AppearanceProps) {
  const { appearance } = useSnapshot(preferencesState);
  const systemDark = useMediaQuery('(prefers-color-scheme: dark)');
  const resolved = appearance === 'system' ? (systemDark ? 'dark' : 'light') : appearance;
  return (
    <Theme accentColor="teal" grayColor="slate" radius="medium" appearance={resolved}>
      {children}
      {/* Beside the theme, not in it: dialogs stand beside it too, and must not cover what is being said. */}
      {createPortal(
        <Toaster theme={resolved} position="top-center" visibleToasts={5} closeButton richColors />,
        document.body,
      )}
    </Theme>
  );
}
