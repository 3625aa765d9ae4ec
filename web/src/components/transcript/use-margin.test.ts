import { act, renderHook } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { useMargin } from './use-margin';

/** The hook with the calls that the list makes at a speed, in px per tenth of a second. */
function setup() {
  const { result } = renderHook(useMargin);
  const { fling } = result.current;
  const ask = (what: 'enter' | 'exit', speed: number): boolean | undefined => {
    let answer: boolean | undefined;
    act(() => {
      answer = fling[what](speed, { startIndex: 0, endIndex: 1 });
    });
    return answer;
  };
  return {
    margin: () => result.current.px,
    enters: (speed: number) => ask('enter', speed),
    exits: (speed: number) => ask('exit', speed),
    isSame: () => result.current.fling === fling,
  };
}

describe('the margin of a transcript', () => {
  it('is drawn for who reads, up and down', () => {
    const { margin, enters } = setup();
    expect(margin()).toEqual({ top: 600, bottom: 300 });
    expect(enters(3_000)).toBe(false);
    expect(enters(-3_000)).toBe(false);
    expect(margin()).toEqual({ top: 600, bottom: 300 });
  });

  it('is nothing in a fling, and where it ends until the reader moves on', () => {
    const { margin, enters, exits, isSame } = setup();
    expect(enters(-4_001)).toBe(true);
    expect(margin()).toEqual({ top: 0, bottom: 0 });
    expect(exits(-1_000)).toBe(false);
    expect(exits(-999)).toBe(true);
    expect(enters(0)).toBe(false);
    expect(margin()).toEqual({ top: 0, bottom: 0 });
    expect(enters(-120)).toBe(false);
    expect(margin()).toEqual({ top: 600, bottom: 300 });
    // The list would start again with a new configuration object.
    expect(isSame()).toBe(true);
  });
});
