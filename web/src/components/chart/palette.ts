/**
 * The colours of series in their order; the values for each theme stand in the style sheet. The first is never the
 * colour of what is selected. `palette.test.ts` measures that they stand out from the ground and from each other,
 * for the colour-blind too.
 */
export const palette = ['teal', 'orange', 'indigo', 'ochre', 'rose', 'sky', 'olive', 'grey'] as const;
