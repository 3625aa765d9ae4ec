/**
 * The colours of series in their order; the values for each theme are in the style sheet. The first is never the
 * colour of selected elements. `palette.test.ts` checks their contrast to the background and to each other, for
 * colour-blind people too.
 */
export const palette = ['teal', 'orange', 'indigo', 'ochre', 'rose', 'sky', 'olive', 'grey'] as const;
