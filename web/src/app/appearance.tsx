import { lazy, Suspense, useSyncExternalStore, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { toastsWanted } from '@/lib/toasts';
import { useAppearance } from './use-appearance';

interface AppearanceProps {
  children: ReactNode;
}

const Toaster = lazy(() => import('./toaster').then(({ Toaster: Component }) => ({ default: Component })));

/**
 * The theme, light or dark as the person or the system wants it, and the place of the toasts. It is what the design
 * system's own Theme writes, without the parts that only pages inside need: 13 kB less for the sign-in page. Inside,
 * the Theme itself stands around the pages.
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
      {/* Beside the theme, not in it: dialogs stand beside it too, and must not cover what is being said. */}
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
