import { describe, expect, it } from 'vitest';
import {
  cleanFileName,
  defaultConnectorName,
  fileNameProblem,
  fileProblem,
  offeredExtensions,
  uploadTypeOf,
} from './connector-form';

describe('fileNameProblem', () => {
  it.each(['sales', 'Sales (2025)', 'über_uns 3', '売上'])('Takes %s', (name) => {
    expect(fileNameProblem(name)).toBeUndefined();
  });

  it('RefusesAnEmptyOne', () => {
    expect(fileNameProblem('  ')).toBe('File name cannot be empty');
  });

  it.each(['a.b', '../x', 'a/b', '<img>', 'a\u0000', 'a-b'])('Refuses %j', (name) => {
    expect(fileNameProblem(name)).toBe('The name cannot contain special characters');
  });

  it('PassesWhatItHasCleaned', () => {
    for (const name of ['../x.csv', 'my-report.v2.csv', '<img src=x>.csv']) {
      expect(fileNameProblem(cleanFileName(name))).toBeUndefined();
    }
  });
});

describe('uploadTypeOf', () => {
  it.each([
    ['x.csv', '', 'csv'],
    // Windows calls every CSV an Excel sheet.
    ['x.csv', 'application/vnd.ms-excel', 'csv'],
    ['x', 'application/vnd.ms-excel', 'xls'],
    ['x.XLSX', '', 'xlsx'],
    ['hyperion.bin', '', 'hyper'],
    ['deck.pptx', '', 'pptx'],
    ['unknown', 'application/octet-stream', 'csv'],
  ])('Takes %s (%s) for %s', (name, type, kind) => {
    expect(uploadTypeOf({ name, type })).toBe(kind);
  });
});

describe('names', () => {
  it('CutsTheDefaultName', () => {
    expect(defaultConnectorName(`${'x'.repeat(90)}.csv`)).toBe('x'.repeat(80));
    expect(defaultConnectorName('.csv')).toBe('.csv');
  });

  it('KnowsWhatTheServerTakes', () => {
    const unsupported = 'Error: Unsupported file type. Please upload a valid file format.';
    const problemOf = (name: string, size = 1) =>
      fileProblem({ name, size }, { accepted: ['.csv', 'tsv'], maxSize: 5 * 2 ** 20 });
    expect(problemOf('a.CSV')).toBeUndefined();
    expect(problemOf('a.tsv')).toBeUndefined();
    expect(problemOf('a.exe')).toBe(unsupported);
    expect(problemOf('csv')).toBe(unsupported);
    expect(problemOf('a.csv', 0)).toBe('Please provide a valid file: a.csv is empty');
    expect(problemOf('a.csv', 5 * 2 ** 20 + 1)).toBe('a.csv is larger than 5 MB');
  });

  it.each(['a.xls', 'a.PPT', 'a.xlsm', 'a.xlsb'])('LeavesToTheServer what it says of %s', (name) => {
    expect(fileProblem({ name, size: 1 }, { accepted: ['.csv'], maxSize: 0 })).toBeUndefined();
    expect(offeredExtensions(['.csv'])).toContain(name.slice(1).toLowerCase());
  });
});
