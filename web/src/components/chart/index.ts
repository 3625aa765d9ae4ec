export { Chart, type ChartProps } from './chart';
export { type ChartConfig, chartConfigSchema } from './chart-schema';
export { type ChartParse, parseChartConfig } from './parse-chart-config';
