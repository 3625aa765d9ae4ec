/** The modules of the library have no types; the types of the whole library describe what `highcharts.ts` exports. */
declare module 'highcharts/es-modules/*' {
  /** The part of a class of the library that is used for composing here. */
  interface Part {
    compose: (...into: unknown[]) => void;
  }
  const part: Part;
  // eslint-disable-next-line no-restricted-exports -- this is how the library exports it
  export default part;
  export const composeBorderRadius: (...into: unknown[]) => void;
  export const composeOverlappingDataLabels: (...into: unknown[]) => void;
  export const addEvent: unknown;
}
