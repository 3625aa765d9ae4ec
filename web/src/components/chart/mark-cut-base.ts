import type { Chart as HighchartsChart, SVGElement } from 'highcharts';

interface Library {
  addEvent: (on: HighchartsChart, name: 'redraw', then: () => void) => void;
}

/**
 * Draws a break mark at the foot of an axis that does not begin at zero, and again whenever the chart is laid out.
 */
export function markCutBase(library: Library, drawing: HighchartsChart): void {
  let mark: SVGElement | undefined;
  const draw = () => {
    mark?.destroy();
    const x = drawing.plotLeft;
    const y = drawing.plotTop + drawing.plotHeight - 6;
    mark = drawing.renderer
      .path([
        ['M', x - 6, y + 2],
        ['L', x - 2, y - 3],
        ['L', x + 2, y + 3],
        ['L', x + 6, y - 2],
      ])
      .attr({ stroke: 'var(--gray-11)', 'stroke-width': 1.5, fill: 'none', zIndex: 5 })
      .addClass('parley-cut-base')
      .add();
  };
  draw();
  library.addEvent(drawing, 'redraw', draw);
}
