import { vi } from 'vitest';

/** Gives a test a window of a width in pixels, for media queries of a `max-width`. It lasts until the end of the test. */
export function windowWidth(width: number): void {
  vi.spyOn(window, 'matchMedia').mockImplementation((media) => {
    const limit = /max-width: (\d+)px/u.exec(media)?.[1];
    return {
      matches: limit !== undefined && width <= Number(limit),
      media,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    } as unknown as MediaQueryList;
  });
}
