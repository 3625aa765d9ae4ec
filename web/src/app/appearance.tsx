import { lazy, Suspense, useSyncExternalStore, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { toastsWanted } from '@/lib/toasts';
import { useAppearance } from './use-appearance';

interface AppearanceProps {
  children: ReactNode;
}

const Toaster = lazy(() => import('./toaster').then(({ Toaster: Component }) => ({ default: Component })));

/**
 * The theme, light or dark as the person or the system wants it, and the place of the toasts. It renders what the
 * design system's own Theme does, without the parts that only the pages behind the sign-in need: 13 kB less for the
 * sign-in page. The other pages are wrapped in the Theme itself.
 */
export function Appearance({ children }: AppearanceProps) {
  const resolved = useAppearance();
  const wanted = useSyncExternalStore(toastsWanted.subscribe, toastsWanted.get);
  return (
    <div
      className={`radix-themes ${resolved}`}
      data-is-root-theme="true"
      data-accent-color="teal"
      data-gray-color="slate"
      data-has-background="true"
      data-panel-background="translucent"
      data-radius="medium"
      data-scaling="100%"
    >
      {children}
      {/* Next to the theme, not in it: dialogs are next to it too, and must not cover the messages. */}
      {wanted &&
        createPortal(
          <Suspense fallback={null}>
            <Toaster theme={resolved} />
          </Suspense>,
          document.body,
        )}
    </div>
  );
}
