import { Flex, Heading, Text } from '@radix-ui/themes';
import { Chart } from '@/components/chart/chart';
import { DataTable } from '@/components/data-table/data-table';
import * as fixtures from '@/testing/fixtures/components';
import styles from './showcase.module.css';

const charts: readonly (readonly [string, unknown])[] = [
  ['One number', fixtures.figureChart],
  ['Many names: lying bars, the first fifteen and the others', fixtures.manyProductsChart],
  ['Two years beside each other', fixtures.comparedYearsChart],
  ['A line that does not begin at zero, its last month not complete', fixtures.cutBaseChart],
  ['Few lines, named at their ends', fixtures.fewLinesChart],
  ['Quarters, the last one not complete', fixtures.openQuarterChart],
  ['Shares in the order of the week', fixtures.sharesChart],
  ['Two measures, each in its unit', fixtures.scatterChart],
  ['Columns with a unit of the configuration', fixtures.columnChart],
  ['A line of days', fixtures.lineChart],
  ['Bars with values', fixtures.barChart],
  ['Pie', fixtures.pieChart],
  ['Pie of names that begin alike', fixtures.alikePieChart],
  ['Pie without a legend', fixtures.alikeUnlistedPieChart],
  ['Two columns with long names', fixtures.alikeColumnsChart],
  ['Stacked columns with long names', fixtures.alikeStackedChart],
  ['Many lines with long names', fixtures.alikeLinesChart],
  ['Lying bars with long names', fixtures.alikeBarsChart],
  ['Stacked areas', fixtures.stackedAreaChart],
  ['Many short names', fixtures.manyBarsChart],
  ['All zero', fixtures.zeroChart],
  ['Hostile configuration', fixtures.hostileChartText],
  ['Broken configuration', '{'],
];

/** Each kind of chart and table in each of its states. */
export function ChartsSection() {
  return (
    <>
      <section className={styles.section}>
        <Heading as="h2" size="4" mb="3">
          Charts
        </Heading>
        <div className={styles.grid}>
          {charts.map(([name, config]) => (
            <div key={name} data-sample={name}>
              <Chart config={config} title={name} />
            </div>
          ))}
        </div>
      </section>
      <section className={styles.section}>
        <Heading as="h2" size="4" mb="3">
          Tables
        </Heading>
        <Flex direction="column" gap="4">
          <Sample name="Units, months, keys, nothing and a long text">
            <DataTable data={fixtures.salesCsv} shown={fixtures.salesColumns} caption="Sales" />
          </Sample>
          <Sample name="A small table of which nothing is said">
            <DataTable data={fixtures.smallCsv} caption="A small table" />
          </Sample>
          <Sample name="The beginning of a longer table">
            <DataTable
              data={fixtures.smallCsv.slice(0, 201)}
              caption="A beginning"
              truncated
              totalRows={12_400}
            />
          </Sample>
          <Sample name="10,000 rows">
            <DataTable data={fixtures.longCsv(10_000)} caption="A long table" />
          </Sample>
          <Sample name="60 columns">
            <DataTable data={fixtures.wideCsv(60)} caption="A wide table" />
          </Sample>
          <Sample name="Hostile names">
            <DataTable data={fixtures.hostileCsv} caption="Hostile names" />
          </Sample>
          <Sample name="Nothing">
            <DataTable data="" caption="Nothing" />
          </Sample>
        </Flex>
      </section>
    </>
  );
}

function Sample({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div data-sample={name}>
      <Text as="p" size="2" color="gray" mb="2">
        {name}
      </Text>
      {children}
    </div>
  );
}
