import { describe, expect, it } from 'vitest';
import { joinResponse, splitResponse } from './memory';

const sql = 'SELECT region\nFROM orders';

describe('the response of a memory', () => {
  it('is words, and the code behind them', () => {
    const value = `Sales less discounts.\n\n\`\`\`sql\n${sql}\n\`\`\``;
    expect(splitResponse(value)).toEqual({ text: 'Sales less discounts.', code: sql, language: 'sql' });
    expect(joinResponse(splitResponse(value))).toBe(value);
  });

  it('can be words alone, or code alone', () => {
    expect(splitResponse('Just words')).toEqual({ text: 'Just words', code: '', language: 'sql' });
    expect(joinResponse({ text: ' Just words ', code: ' \n', language: 'sql' })).toBe('Just words');
    const code = `\`\`\`python\nprint(1)\n\`\`\``;
    expect(splitResponse(code)).toEqual({ text: '', code: 'print(1)', language: 'python' });
    expect(joinResponse(splitResponse(code))).toBe(code);
  });

  it('names the usual language when a block has none', () => {
    expect(splitResponse(`\`\`\`\n${sql}\n\`\`\``)).toEqual({ text: '', code: sql, language: 'sql' });
  });

  it.each([
    'Words\n```sql\nSELECT 1\n```\nand more words',
    '```sql\nSELECT 1\n```\n\n```sql\nSELECT 2\n```',
    'An open block\n```sql\nSELECT 1',
  ])('stays one text when its code is not one block at its end: %j', (value) => {
    expect(splitResponse(value)).toEqual({ text: value, code: '', language: 'sql' });
    expect(joinResponse(splitResponse(value))).toBe(value);
  });

  it('keeps the indentation of code', () => {
    const code = '  SELECT 1\n    FROM t';
    expect(splitResponse(joinResponse({ text: 'a', code, language: 'sql' })).code).toBe(code);
  });
});
