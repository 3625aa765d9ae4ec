/** Saves the content of an address under a name. */
export function saveAs(url: string, name: string): void {
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
}

/** Saves bytes of the page under a name. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  saveAs(url, name);
  // The browser reads the blob after this call; its URL may be revoked once that has begun.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
