/** What one page may weigh when it is opened with an empty cache, in kB of 1,000 bytes as they are sent (brotli). */
export interface Weight {
  scripts: number;
  styles: number;
}

/** The bounds of the build, of its own graph, and of e2e/weight.e2e.ts, of what a browser really fetches. */
export const weights = {
  signIn: { scripts: 120, styles: 25 },
  home: { scripts: 170, styles: 40 },
  /** On each width of window. From about 1,440 px the numbers stand beside the drawing, and the table comes too. */
  conversationWithChart: { scripts: 330, styles: 40 },
} satisfies Record<string, Weight>;
