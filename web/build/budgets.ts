/**
 * The maximum size of one page when it is opened with an empty cache, in kB of 1,000 bytes as they are sent
 * (brotli).
 */
export interface Weight {
  scripts: number;
  styles: number;
}

/**
 * The limits for the build, from its own module graph, and for e2e/weight.e2e.ts, from what a browser really
 * fetches.
 */
export const weights = {
  signIn: { scripts: 120, styles: 25 },
  home: { scripts: 170, styles: 40 },
  /** On each width of window. From about 1,440 px the numbers are next to the drawing, so the table is loaded too. */
  conversationWithChart: { scripts: 330, styles: 40 },
} satisfies Record<string, Weight>;
