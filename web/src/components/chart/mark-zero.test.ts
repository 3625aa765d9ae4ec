import type { Chart as HighchartsChart } from 'highcharts';
import { describe, expect, it } from 'vitest';
import { markZero } from './mark-zero';

/** A drawing whose lines at zero are recorded, as long as they have not been removed. */
function drawingOf(inverted: boolean) {
  const lines: unknown[] = [];
  const shape = (path: unknown) => {
    const element = {
      attr: () => element,
      addClass: () => element,
      add: () => {
        lines.push(path);
        return element;
      },
      destroy: () => lines.splice(lines.indexOf(path), 1),
    };
    return element;
  };
  const drawing = {
    inverted,
    plotLeft: 40,
    plotTop: 10,
    plotWidth: 300,
    plotHeight: 200,
    yAxis: [{ toPixels: () => 120 }],
    renderer: { path: shape },
  };
  let redraw = (): void => undefined;
  const addEvent = (_on: unknown, _name: string, then: () => void) => (redraw = then);
  markZero({ addEvent }, drawing as unknown as HighchartsChart);
  return { drawing, lines, redraw: () => redraw() };
}

describe('markZero', () => {
  it('draws one line across the columns, where zero is, also after the chart has another width', () => {
    const { drawing, lines, redraw } = drawingOf(false);
    const across = (end: number) => [
      ['M', 40, 120.5],
      ['L', end, 120.5],
    ];
    expect(lines).toEqual([across(340)]);
    drawing.plotWidth = 500;
    redraw();
    expect(lines).toEqual([across(540)]);
  });

  it('draws it upright where the bars lie', () => {
    expect(drawingOf(true).lines).toEqual([
      [
        ['M', 120.5, 10],
        ['L', 120.5, 210],
      ],
    ]);
  });
});
