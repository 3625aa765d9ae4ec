const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/** The number of bytes of a text on the wire. Offsets count these, not JavaScript's UTF-16 units. */
export function byteLength(text: string): number {
  // ASCII text is the common case, and its bytes are its units.
  let ascii = true;
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 0x7f) {
      ascii = false;
      break;
    }
  }
  return ascii ? text.length : encoder.encode(text).length;
}

/**
 * The text without its first `bytes` bytes, or `null` if the cut would be inside a rune: then the client's text is
 * not a prefix of the server's text, and only a new subscribe can repair that.
 */
export function dropBytes(text: string, bytes: number): string | null {
  if (bytes <= 0) return text;
  const encoded = encoder.encode(text);
  if (bytes >= encoded.length) return '';
  const first = encoded[bytes];
  if (first !== undefined && (first & 0xc0) === 0x80) return null;
  return decoder.decode(encoded.subarray(bytes));
}
