/** The prefix of a link that stands for a number; the index of its figure follows. */
const prefix = '#figure-';

/** The index of the figure that a link stands for, or `null` for any other link. */
export function figurePlace(href: string | undefined): number | null {
  if (href?.startsWith(prefix) !== true) return null;
  const place = Number(href.slice(prefix.length));
  return Number.isInteger(place) && place >= 0 ? place : null;
}

/** A number as a link that stands for the figure at this index. */
export function figureLink(number: string, place: number): string {
  return `[${number}](${prefix}${place})`;
}
