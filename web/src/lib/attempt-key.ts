import { uuidv7 } from './uuid';

/**
 * Keys for calls that create something: the same input keeps its key until it succeeded, so that pressing a
 * button again after a failure does not make a second one (the `Idempotency-Key` header).
 */
export class AttemptKey {
  #input = '';
  #key = '';

  /** The key for this input, which is written as JSON to be compared. */
  of(input: unknown): string {
    const text = JSON.stringify(input);
    if (this.#key === '' || text !== this.#input) {
      this.#input = text;
      this.#key = uuidv7();
    }
    return this.#key;
  }

  /** It is done: the same input again means another one. */
  done(): void {
    this.#key = '';
  }
}
