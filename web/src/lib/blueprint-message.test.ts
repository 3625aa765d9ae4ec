import { describe, expect, it } from 'vitest';
import { messageParts, parseInputs, sentMessage, withInputs } from './blueprint-message';

const inputs = parseInputs('Region: North or South\nStart date');

/** The message as one text, with the placeholders in angle brackets. */
const shown = (parts: ReturnType<typeof sentMessage>): string =>
  parts.map(({ text, input }) => (input === undefined ? text : `<${input}>`)).join('');

describe('parseInputs', () => {
  it('reads a name, and a hint behind the first colon', () => {
    expect(parseInputs(' Region : North: or South \n\nYear')).toEqual([
      { name: 'Region', hint: 'North: or South' },
      { name: 'Year', hint: '' },
    ]);
  });

  it('takes names that are compared as one for one, and none without letters', () => {
    expect(parseInputs('Start date\nstart_date\nSTARTDATE: x\n--\n: y')).toEqual([
      { name: 'Start date', hint: '' },
    ]);
  });
});

describe('messageParts', () => {
  it('finds the placeholders of known inputs, however they are spelled', () => {
    expect(shown(messageParts('{{region}} from {{ start_date }}.', inputs))).toBe(
      '<Region> from <Start date>.',
    );
  });

  it('leaves alone what names no input', () => {
    expect(messageParts('{{Year}} { {Region} } {{Reg\nion}}', inputs)).toEqual([
      { text: '{{Year}} { {Region} } {{Reg\nion}}' },
    ]);
    expect(messageParts('', inputs)).toEqual([]);
  });
});

describe('sentMessage', () => {
  it('adds the inputs that the message does not mention, a line each', () => {
    expect(shown(sentMessage('Show {{Region}}.\n\n', inputs))).toBe(
      'Show <Region>.\n\nStart date: <Start date>',
    );
    expect(shown(sentMessage('Show it', inputs))).toBe(
      'Show it\n\nRegion: <Region>\nStart date: <Start date>',
    );
  });

  it('adds nothing to a message that mentions all of them', () => {
    expect(shown(sentMessage('{{Region}}, {{Start date}}', inputs))).toBe('<Region>, <Start date>');
  });
});

describe('withInputs', () => {
  const inputs = [
    { name: 'Region', hint: '' },
    { name: 'Start date', hint: '' },
  ];

  it.each([
    [{}, 'Region since Start date, {{Other}}'],
    [{ Region: ' North ' }, 'North since Start date, {{Other}}'],
    [{ Region: '  ', 'Start date': '2025' }, 'Region since 2025, {{Other}}'],
  ])('reads with %o as %s', (values, text) => {
    expect(withInputs('{{region}} since {{start_date}}, {{Other}}', inputs, values)).toBe(text);
  });
});
