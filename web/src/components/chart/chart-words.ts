import { chart as t } from '@/messages/chart';
import { categoryNames, type ChartModel, type ChartSeries } from './chart-model';
import { placeText } from './place-names';
import { valueFormat } from './value-format';

const mostNames = 5;

interface Extreme {
  at: string;
  y: number;
  series: ChartSeries;
}

/** A chart in a sentence or two, for readers who cannot see it. */
export function describeChart(chart: ChartModel): string {
  const count = chart.series.length;
  const points = chart.series.reduce((total, series) => total + series.points.length, 0);
  const kind = t(`type.${chart.type}`);
  const names = chart.series.slice(0, mostNames).map(({ name }) => name);
  const sentences = [
    chart.title === null ? t('describe.kind', { kind }) : t('describe.title', { kind, title: chart.title }),
    t('describe.series', {
      count,
      points,
      names: [...names, ...(count > mostNames ? ['…'] : [])].join(', '),
    }),
  ];
  const extremes = extremesOf(chart);
  if (extremes !== null) {
    const { high, low } = extremes;
    sentences.push(
      t('describe.extremes', {
        high: valueFormat(chart, high.series).full(high.y),
        highAt: high.at,
        low: valueFormat(chart, low.series).full(low.y),
        lowAt: low.at,
      }),
    );
  }
  return sentences.join(' ');
}

function extremesOf(chart: ChartModel): { high: Extreme; low: Extreme } | null {
  const names = categoryNames(chart);
  const all = chart.series.flatMap((series) =>
    series.points.flatMap((point, index): { y: number; index: number; series: ChartSeries }[] =>
      point.y === null ? [] : [{ y: point.y, index, series }],
    ),
  );
  const [first] = all;
  if (first === undefined) return null;
  const say = ({ y, index, series }: typeof first): Extreme => {
    const point = series.points[index];
    return { y, series, at: point === undefined ? '' : placeText(point, index, names, chart) };
  };
  return {
    high: say(all.reduce((best, each) => (each.y > best.y ? each : best), first)),
    low: say(all.reduce((best, each) => (each.y < best.y ? each : best), first)),
  };
}
