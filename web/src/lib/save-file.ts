/** Saves what an address leads to, under a name. */
export function saveAs(url: string, name: string): void {
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
}

/** Saves bytes that the page holds, under a name. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  saveAs(url, name);
  // The browser reads the blob after this call; it may be let go once that has begun.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
