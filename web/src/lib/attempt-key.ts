import { uuidv7 } from './uuid';

/**
 * Keys for calls that create something: the same input keeps its key until the call has succeeded, so that pressing
 * a button again after a failure does not create a second entity (the `Idempotency-Key` header).
 */
export class AttemptKey {
  #input = '';
  #key = '';

  /** The key for this input, which is compared as JSON. */
  of(input: unknown): string {
    const text = JSON.stringify(input);
    if (this.#key === '' || text !== this.#input) {
      this.#input = text;
      this.#key = uuidv7();
    }
    return this.#key;
  }

  /** The call has succeeded: the same input again means another entity. */
  done(): void {
    this.#key = '';
  }
}
