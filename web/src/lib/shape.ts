/**
 * Schemas for unknown JSON, built from small parts. Only for charts: forms use zod, which is four times as large as
 * the rest of the code that parses charts.
 */
export interface Shape<T> {
  /** Returns the parsed value with known keys only. */
  read: (input: unknown, path: string) => T | Unfit;
  /** The known keys of an object. */
  keys?: Readonly<Record<string, Shape<unknown>>>;
  /** The elements of a list. */
  element?: Shape<unknown>;
  /** The shapes of which one must fit. */
  options?: readonly Shape<unknown>[];
}

/** The type that a shape returns. */
export type Of<S> = S extends Shape<infer T> ? T : never;

type Keys = Readonly<Record<string, Shape<unknown>>>;
type OptionalIn<K extends Keys> = { [P in keyof K]: undefined extends Of<K[P]> ? P : never }[keyof K];
type ObjectOf<K extends Keys> = { [P in Exclude<keyof K, OptionalIn<K>>]: Of<K[P]> } & {
  [P in OptionalIn<K>]?: Of<K[P]>;
};

/** A mismatch and its position. It is returned and not thrown: each of ten thousand points may try three shapes. */
export class Unfit {
  constructor(
    readonly path: string,
    readonly wanted: string,
  ) {}
}

/** A value that a type guard accepts. */
export function value<T>(fits: (input: unknown) => input is T, wanted: string): Shape<T> {
  return {
    read: (input, path) => (fits(input) ? input : new Unfit(path, wanted)),
  };
}

export const string = value((input): input is string => typeof input === 'string', 'a text');
export const boolean = value((input): input is boolean => typeof input === 'boolean', 'true or false');

/** A number from `min` to `max`, both included. */
export function number(min: number, max: number): Shape<number> {
  const fits = (input: unknown): input is number => typeof input === 'number' && input >= min && input <= max;
  return value(fits, `a number from ${min} to ${max}`);
}

/** A whole number from `min` to `max`, both included. */
export function whole(min: number, max: number): Shape<number> {
  const { read } = number(min, max);
  return {
    read: (input, path) => (Number.isInteger(input) ? read(input, path) : new Unfit(path, 'a whole number')),
  };
}

/** One of some words. */
export function oneOf<const T extends string>(words: readonly T[]): Shape<T> {
  return value(
    (input): input is T => (words as readonly unknown[]).includes(input),
    `one of ${words.join()}`,
  );
}

/** Converts the parsed value. */
export function made<T, M>(shape: Shape<T>, make: (read: T) => M): Shape<M> {
  return {
    ...shape,
    read: (input, path) => {
      const read = shape.read(input, path);
      return read instanceof Unfit ? read : make(read);
    },
  };
}

/** A value or `null`. */
export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return { ...shape, read: (input, path) => (input === null ? null : shape.read(input, path)) };
}

/** Optional; a wrong value is an error. */
export function optional<T>(shape: Shape<T>): Shape<T | undefined> {
  return { ...shape, read: (input, path) => (input === undefined ? undefined : shape.read(input, path)) };
}

/** Optional; a wrong value is left out and is not an error. */
export function lenient<T>(shape: Shape<T>): Shape<T | undefined> {
  return {
    ...shape,
    read: (input, path) => {
      const read = input === undefined ? undefined : shape.read(input, path);
      return read instanceof Unfit ? undefined : read;
    },
  };
}

/** The first of these that fits. */
export function anyOf<S extends readonly Shape<unknown>[]>(...options: S): Shape<Of<S[number]>> {
  return {
    options,
    read: (input, path) => {
      for (const option of options) {
        const read = option.read(input, path);
        if (!(read instanceof Unfit)) return read as Of<S[number]>;
      }
      return new Unfit(path, 'something that is known here');
    },
  };
}

/** A list of `min` to `max` elements. */
export function list<T>(element: Shape<T>, min: number, max: number): Shape<T[]> {
  return {
    element,
    read: (input, path) => {
      if (!Array.isArray(input) || input.length < min || input.length > max)
        return new Unfit(path, `a list of ${min} to ${max}`);
      const all: T[] = [];
      for (const [place, item] of input.entries()) {
        const read = element.read(item, `${path}[${place}]`);
        if (read instanceof Unfit) return read;
        all.push(read);
      }
      return all;
    },
  };
}

/** Two values in a list. */
export function pair<A, B>(first: Shape<A>, second: Shape<B>): Shape<[A, B]> {
  return {
    read: (input, path) => {
      if (!Array.isArray(input) || input.length !== 2) return new Unfit(path, 'a list of two');
      const a = first.read(input[0], `${path}[0]`);
      const b = second.read(input[1], `${path}[1]`);
      if (a instanceof Unfit) return a;
      return b instanceof Unfit ? b : [a, b];
    },
  };
}

/** An object; only its own keys that are listed here are read. */
export function object<K extends Keys>(keys: K): Shape<ObjectOf<K>> {
  return {
    keys,
    read: (input, path) => {
      if (typeof input !== 'object' || input === null || Array.isArray(input))
        return new Unfit(path, 'an object');
      const read: Record<string, unknown> = {};
      for (const [key, shape] of Object.entries(keys)) {
        const given: unknown = Object.hasOwn(input, key)
          ? (input as Record<string, unknown>)[key]
          : undefined;
        const got = shape.read(given, path === '' ? key : `${path}.${key}`);
        if (got instanceof Unfit) return got;
        if (got !== undefined) read[key] = got;
      }
      return read as ObjectOf<K>;
    },
  };
}
