/** The operator's settings: the address for errors, traces and replays, and their release. */
export interface CollectorSettings {
  dsn: string;
  release: string;
}

/**
 * The maximum number of errors that are kept until the library is loaded: more are usually the same error again and
 * again.
 */
const most = 10;

const held: unknown[] = [];
let tell = (error: unknown): void => {
  if (held.length < most) held.push(error);
};

/** Reports an error that a page has caught to the collector, if there is one. */
export function reportError(error: unknown): void {
  tell(error);
}

/** From now on errors are passed to the library, earlier ones first. */
export function reportTo(library: (error: unknown) => void): void {
  tell = library;
  held.splice(0).forEach(library);
}
