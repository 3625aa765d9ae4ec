/** What is copied: as plain text, and as HTML for programs that support it. */
export interface Copied {
  plain: string;
  html: string;
}

/**
 * Puts plain text on the clipboard, and in addition HTML, which documents use instead; returns whether it worked.
 * If a browser supports only plain text, that is copied, and `otherwise` if the text could not be converted.
 */
export async function copyRich(content: Promise<Copied>, otherwise: string): Promise<boolean> {
  const clipboard = (navigator as { clipboard?: Partial<Clipboard> }).clipboard;
  if (clipboard?.write !== undefined && typeof ClipboardItem === 'function') {
    const part = async (type: string, take: (copied: Copied) => string): Promise<Blob> =>
      new Blob([take(await content)], { type });
    try {
      // As promises: if the code waited for them first, a browser might no longer accept the press of the button as
      // the reason.
      const item = new ClipboardItem({
        'text/plain': part('text/plain', ({ plain }) => plain),
        'text/html': part('text/html', ({ html }) => html),
      });
      await clipboard.write([item]);
      return true;
    } catch {
      // Plain text may still be allowed.
    }
  }
  return copyToClipboard(await content.then(({ plain }) => plain).catch(() => otherwise));
}

/**
 * Puts text on the clipboard; returns whether it worked. The second method is for pages that are not served over
 * https, where browsers hide the clipboard API.
 */
export async function copyToClipboard(text: string): Promise<boolean> {
  const clipboard = (navigator as { clipboard?: Clipboard }).clipboard;
  if (clipboard !== undefined) {
    try {
      await clipboard.writeText(text);
      return true;
    } catch {
      // If the permission is refused, the second method may still work.
    }
  }
  return copyBySelection(text);
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.setAttribute('readonly', '');
  area.setAttribute('aria-hidden', 'true');
  area.style.position = 'fixed';
  area.style.opacity = '0';
  document.body.append(area);
  area.select();
  try {
    // It is deprecated, but still the only method without a secure origin.
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- no other call works on plain http
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    area.remove();
  }
}
