import type { Chart as HighchartsChart, SVGElement } from 'highcharts';

interface Library {
  addEvent: (on: HighchartsChart, name: 'redraw', then: () => void) => void;
}

/**
 * Draws the line at zero of a chart whose values are on both sides of it, and again whenever the chart is laid out.
 * The library's own plot lines are not in the build: they weigh more than this.
 */
export function markZero(library: Library, drawing: HighchartsChart): void {
  let line: SVGElement | undefined;
  const draw = () => {
    line?.destroy();
    const [axis] = drawing.yAxis;
    if (axis === undefined) return;
    const { plotLeft, plotTop, plotWidth, plotHeight } = drawing;
    // Sharp only between two pixels.
    const at = Math.round(axis.toPixels(0, false)) + 0.5;
    line = drawing.renderer
      .path(
        drawing.inverted
          ? [
              ['M', at, plotTop],
              ['L', at, plotTop + plotHeight],
            ]
          : [
              ['M', plotLeft, at],
              ['L', plotLeft + plotWidth, at],
            ],
      )
      .attr({ stroke: 'var(--gray-8)', 'stroke-width': 1, zIndex: 2 })
      .addClass('parley-zero')
      .add();
  };
  draw();
  library.addEvent(drawing, 'redraw', draw);
}
