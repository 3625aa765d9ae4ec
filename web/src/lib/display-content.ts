/** The state of a display object's content. */
export type DisplayContent =
  | { status: 'idle' }
  | { status: 'loading' }
  | { status: 'failed' }
  | { status: 'ready'; text: string; truncated?: boolean }
  /** A `blob:` or same-origin address. */
  | { status: 'ready'; imageUrl: string };
