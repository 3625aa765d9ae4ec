import type { Page } from 'playwright-core';

/**
 * The elements below the shown toasts, after the toasts have stopped moving: the tag and the class of the elements
 * at twelve points of each toast. Elements that only fill the window behind everything are left out.
 */
export async function coveredByToasts(page: Page): Promise<string[]> {
  await page.waitForFunction(() => {
    const toasts = [...document.querySelectorAll('[data-sonner-toast]')];
    return toasts.length > 0 && toasts.every((toast) => toast.getAnimations().length === 0);
  });
  return page.evaluate(() => {
    const below = new Set<string>();
    for (const toast of document.querySelectorAll('[data-sonner-toast]')) {
      const { left, top, width, height } = toast.getBoundingClientRect();
      for (const across of [0.02, 0.35, 0.65, 0.98]) {
        for (const down of [0.05, 0.5, 0.95]) {
          for (const found of document.elementsFromPoint(left + width * across, top + height * down)) {
            if (found.closest('section:has(> [data-sonner-toaster])') !== null) continue;
            if (found.querySelector('main') !== null || found.matches('.rt-BaseDialogOverlay')) continue;
            below.add(`${found.tagName.toLowerCase()}.${found.className}`);
          }
        }
      }
    }
    return [...below];
  });
}
