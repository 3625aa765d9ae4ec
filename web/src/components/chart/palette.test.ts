import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contrast, linear, type Triple } from '@/testing/contrast';
import { palette } from './palette';

type Matrix = readonly [Triple, Triple, Triple];

/**
 * How people without one kind of cone see, on linear sRGB, at full strength: Machado, Oliveira and Fernandes, "A
 * physiologically-based model for simulation of color vision deficiency", 2009.
 */
const visions: Readonly<Record<string, Matrix>> = {
  'full colour vision': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** Ottosson's OKLab, in which equal distances look equally far apart. */
const toCones: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const toLab: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];

function times(matrix: Matrix, [a, b, c]: Triple): Triple {
  const [x, y, z] = matrix.map((row) => row[0] * a + row[1] * b + row[2] * c);
  return [x ?? 0, y ?? 0, z ?? 0];
}

function each(triple: Triple, change: (value: number) => number): Triple {
  return [change(triple[0]), change(triple[1]), change(triple[2])];
}

function lab(hex: string, vision: Matrix): Triple {
  const seen = each(times(vision, linear(hex)), (value) => Math.min(1, Math.max(0, value)));
  return times(toLab, each(times(toCones, seen), Math.cbrt));
}

function distance(a: string, b: string, vision: Matrix): number {
  const [one, other] = [lab(a, vision), lab(b, vision)];
  return Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
}

const sheet = readFileSync(join(import.meta.dirname, 'chart.module.css'), 'utf8');
const app = readFileSync(join(import.meta.dirname, '../../app/styles.css'), 'utf8');

/** The colours of a theme as the style sheet has them: the first block is the light one, the second the dark one. */
function colors(theme: 'light' | 'dark'): string[] {
  const all = [...sheet.matchAll(/--highcharts-color-\d: (#[0-9a-f]{6});/gu)].map((match) => match[1] ?? '');
  return all.slice(theme === 'light' ? 0 : palette.length, palette.length * (theme === 'light' ? 1 : 2));
}

/** Radix's `--color-panel-solid`, and the accent of `app/styles.css`, which marks what is selected. */
const panels = { light: '#ffffff', dark: '#18191b' };
const accent = /--teal-9: (#[0-9a-f]{6})/u.exec(app)?.[1] ?? '';

/** Two colours of this distance can be distinguished as lines and as areas, side by side and in a legend. */
const apart = 0.08;

describe.each(['light', 'dark'] as const)('the palette of the %s theme', (theme) => {
  const all = colors(theme);

  it('has eight colours', () => {
    expect(palette).toEqual(['teal', 'orange', 'indigo', 'ochre', 'rose', 'sky', 'olive', 'grey']);
    expect(new Set(all).size).toBe(8);
  });

  it('stands out from the panel by 3:1', () => {
    expect(Math.min(...all.map((color) => contrast(color, panels[theme])))).toBeGreaterThanOrEqual(3);
  });

  it.each(Object.entries(visions))('is distinguishable with %s', (_, vision) => {
    const pairs = all.flatMap((color, place) =>
      all.slice(0, place).map((other) => distance(color, other, vision)),
    );
    expect(Math.min(...pairs)).toBeGreaterThanOrEqual(apart);
  });

  it('begins with another colour than the selection has', () => {
    expect(accent).toMatch(/^#/u);
    for (const vision of Object.values(visions))
      expect(distance(all[0] ?? '', accent, vision)).toBeGreaterThanOrEqual(apart);
  });
});
