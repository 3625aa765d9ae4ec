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
