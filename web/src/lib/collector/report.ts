/** What an operator has set: where errors, traces and replays go, and of which release they are. */
export interface CollectorSettings {
  dsn: string;
  release: string;
}

/** More than these many errors before the library is there are one error over and over. */
const most = 10;

const held: unknown[] = [];
let tell = (error: unknown): void => {
  if (held.length < most) held.push(error);
};

/** Tells the collector, where there is one, of an error that a page has caught. */
export function reportError(error: unknown): void {
  tell(error);
}

/** From now on errors are told to the library, those before it first. */
export function reportTo(library: (error: unknown) => void): void {
  tell = library;
  held.splice(0).forEach(library);
}
