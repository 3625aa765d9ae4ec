import type * as Highcharts from 'highcharts';
import Axis from 'highcharts/es-modules/Core/Axis/Axis.js';
import DateTimeAxis from 'highcharts/es-modules/Core/Axis/DateTimeAxis.js';
import LogarithmicAxis from 'highcharts/es-modules/Core/Axis/LogarithmicAxis.js';
import Chart from 'highcharts/es-modules/Core/Chart/Chart.js';
import 'highcharts/es-modules/Core/Defaults.js';
import Legend from 'highcharts/es-modules/Core/Legend/Legend.js';
import Pointer from 'highcharts/es-modules/Core/Pointer.js';
import SVGElement from 'highcharts/es-modules/Core/Renderer/SVG/SVGElement.js';
import SVGRenderer from 'highcharts/es-modules/Core/Renderer/SVG/SVGRenderer.js';
import DataLabel from 'highcharts/es-modules/Core/Series/DataLabel.js';
import { composeOverlappingDataLabels } from 'highcharts/es-modules/Core/Series/OverlappingDataLabels.js';
import Tooltip from 'highcharts/es-modules/Core/Tooltip.js';
import { composeBorderRadius } from 'highcharts/es-modules/Extensions/BorderRadius.js';
// The order of the following imports matters: the later ones depend on the earlier ones.
import Series from 'highcharts/es-modules/Core/Series/Series.js';
import StackingAxis from 'highcharts/es-modules/Core/Axis/Stacking/StackingAxis.js';
import 'highcharts/es-modules/Series/Line/LineSeries.js';
import 'highcharts/es-modules/Series/Area/AreaSeries.js';
import 'highcharts/es-modules/Series/Spline/SplineSeries.js';
import 'highcharts/es-modules/Series/AreaSpline/AreaSplineSeries.js';
import ColumnSeries from 'highcharts/es-modules/Series/Column/ColumnSeries.js';
import ColumnDataLabel from 'highcharts/es-modules/Series/Column/ColumnDataLabel.js';
import 'highcharts/es-modules/Series/Bar/BarSeries.js';
import 'highcharts/es-modules/Series/Scatter/ScatterSeries.js';
import PieSeries from 'highcharts/es-modules/Series/Pie/PieSeries.js';
import PieDataLabel from 'highcharts/es-modules/Series/Pie/PieDataLabel.js';
import { addEvent as listen } from 'highcharts/es-modules/Shared/Utilities.js';

// The parts of the library that our charts use: `chart-schema.ts` names eight types, time axes, logarithmic axes,
// and stacks. The whole library also has scrolling plot areas, HTML labels, plot lines and rules for widths: 6 kB
// more. As in the library's own `masters/highcharts.src.js`, each part is composed into those that it belongs to.
composeBorderRadius(Series, SVGElement, SVGRenderer);
ColumnDataLabel.compose(ColumnSeries);
DataLabel.compose(Series);
DateTimeAxis.compose(Axis);
Legend.compose(Chart);
LogarithmicAxis.compose(Axis);
composeOverlappingDataLabels(Chart);
PieDataLabel.compose(PieSeries);
Pointer.compose(Chart);
StackingAxis.compose(Axis, Chart, Series);
Tooltip.compose(Pointer);

/** Adds a handler for an event of a class. */
export const addEvent = listen as typeof Highcharts.addEvent;

// An axis iterates over its plot lines and bands, although there are none without that module.
addEvent(Axis as unknown as Highcharts.Class<Highcharts.Axis>, 'afterInit', function (this: object) {
  Object.assign(this, { plotBands: [], plotLines: [] });
});

/** Draws a chart. */
export const { chart } = Chart as unknown as Pick<typeof Highcharts, 'chart'>;
