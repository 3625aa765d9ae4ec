/** What is copied: as words, and as HTML for where that is understood. */
export interface Copied {
  plain: string;
  html: string;
}

/**
 * Puts words on the clipboard, and beside them the HTML that a document takes instead; answers whether it worked.
 * Where a browser takes words alone these are copied, and `otherwise` where nothing could be made of the text.
 */
export async function copyRich(content: Promise<Copied>, otherwise: string): Promise<boolean> {
  const clipboard = (navigator as { clipboard?: Partial<Clipboard> }).clipboard;
  if (clipboard?.write !== undefined && typeof ClipboardItem === 'function') {
    const part = async (type: string, take: (copied: Copied) => string): Promise<Blob> =>
      new Blob([take(await content)], { type });
    try {
      // As promises: a browser that waited for them first might not take the press of the button for the reason any more.
      const item = new ClipboardItem({
        'text/plain': part('text/plain', ({ plain }) => plain),
        'text/html': part('text/html', ({ html }) => html),
      });
      await clipboard.write([item]);
      return true;
    } catch {
      // Words alone may still be allowed.
    }
  }
  return copyToClipboard(await content.then(({ plain }) => plain).catch(() => otherwise));
}

/**
 * Puts text on the clipboard; answers whether it worked.
 * The second way is for pages that are not served over https, where browsers hide the clipboard API.
 */
export async function copyToClipboard(text: string): Promise<boolean> {
  const clipboard = (navigator as { clipboard?: Clipboard }).clipboard;
  if (clipboard !== undefined) {
    try {
      await clipboard.writeText(text);
      return true;
    } catch {
      // A refused permission leaves the second way, so this is not the end yet.
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
    // Deprecated, and still the only way without a secure origin.
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- no other call works on plain http
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    area.remove();
  }
}
