import { describe, expect, it } from 'vitest';
import { isBetween } from './leaving';

const button = { left: 100, top: 100, right: 130, bottom: 130 };
const above = { left: 50, top: 60, right: 180, bottom: 91 };
const beside = { left: 139, top: 95, right: 260, bottom: 135 };

describe('isBetween', () => {
  it('holds in the gap between both, as far as the wider one reaches', () => {
    expect(isBetween({ x: 115, y: 95 }, button, above)).toBe(true);
    expect(isBetween({ x: 55, y: 95 }, button, above)).toBe(true);
    expect(isBetween({ x: 134, y: 97 }, button, beside)).toBe(true);
  });

  it('does not hold beside one of them', () => {
    expect(isBetween({ x: 55, y: 110 }, button, above)).toBe(false);
    expect(isBetween({ x: 40, y: 95 }, button, above)).toBe(false);
    expect(isBetween({ x: 134, y: 140 }, button, beside)).toBe(false);
  });

  it('does not hold when there is no gap', () => {
    expect(isBetween({ x: 0, y: 0 }, { ...button, left: 0, top: 0 }, { ...button, left: 0, top: 0 })).toBe(
      false,
    );
  });
});
