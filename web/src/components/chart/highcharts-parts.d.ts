/** The library's parts have no types of their own; those of the whole say what `highcharts.ts` hands out. */
declare module 'highcharts/es-modules/*' {
  /** A class of the library, as far as it is composed with others here. */
  interface Part {
    compose: (...into: unknown[]) => void;
  }
  const part: Part;
  // eslint-disable-next-line no-restricted-exports -- the library has it so
  export default part;
  export const composeBorderRadius: (...into: unknown[]) => void;
  export const composeOverlappingDataLabels: (...into: unknown[]) => void;
  export const addEvent: unknown;
}
