export type Triple = readonly [number, number, number];

/** A channel of a colour in hex, from 0 to 1. */
const channel = (hex: string, at: number): number => parseInt(hex.slice(at, at + 2), 16) / 255;
const channels = (hex: string): Triple => [channel(hex, 1), channel(hex, 3), channel(hex, 5)];

/** A colour such as `#0c8174` in linear sRGB. */
export function linear(hex: string): Triple {
  const one = (value: number): number =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const [red, green, blue] = channels(hex);
  return [one(red), one(green), one(blue)];
}

function luminance(hex: string): number {
  const [red, green, blue] = linear(hex);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** WCAG's contrast. */
export function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

/** How a colour looks on another one; one of eight digits, such as `#00a43319`, lets some of that through. */
export function laidOver(color: string, below: string): string {
  const share = color.length > 7 ? channel(color, 7) : 1;
  const under = channels(below);
  const mixed = channels(color).map((value, at) => value * share + (under[at] ?? 0) * (1 - share));
  return `#${mixed
    .map((value) =>
      Math.round(value * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}
