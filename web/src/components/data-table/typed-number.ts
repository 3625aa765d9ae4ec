/**
 * A number as a person types it: `1234.5`, `1,234.5`, `€1,234.50`, and `1.234,5` where a comma is the decimal mark.
 * Null if it is none. A mark that cannot separate thousands is the decimal mark, also if it is not that of the
 * locale, because a spreadsheet or a keyboard often has the other one.
 */
export function numberIn(text: string, unit: string, locale: string): number | null {
  const bare = withoutUnit(text, unit)
    .replace(/^[−–]/u, '-')
    .replace(/(?<=\d)[\s'’](?=\d{3}(?!\d))/gu, '');
  if (!/^[-+]?(?:\d[\d.,]*|[.,]\d+)$/u.test(bare)) return null;
  const decimal = decimalMark(bare, locale);
  const [whole = '', part, ...more] = decimal === null ? [bare] : bare.split(decimal);
  // Thousands are separated throughout or not at all; India separates hundreds of them too.
  if (more.length > 0 || !/^[-+]?(?:\d*|\d{1,3}(?:[.,]\d{2,3})*[.,]\d{3})$/u.test(whole)) return null;
  if (part !== undefined && !/^\d*$/u.test(part)) return null;
  return Number(`${whole.replace(/[.,]/gu, '')}.${part ?? ''}`);
}

/** The sign of the unit may be typed or not, before or after the number. */
function withoutUnit(text: string, unit: string): string {
  const bare = text.replace(/[\p{Sc}%]/gu, '').trim();
  if (unit === '') return bare;
  const small = bare.toLowerCase();
  const name = unit.toLowerCase();
  if (small.endsWith(name)) return bare.slice(0, -name.length).trim();
  return small.startsWith(name) ? bare.slice(name.length).trim() : bare;
}

function decimalMark(text: string, locale: string): string | null {
  const marks = text.match(/[.,]/gu) ?? [];
  const last = marks.at(-1);
  if (last === undefined) return null;
  if (marks.some((mark) => mark !== last)) return last;
  if (marks.length > 1) return null;
  if (last === localMark(locale)) return last;
  return /^[-+]?\d{1,3}[.,]\d{3}$/u.test(text) ? null : last;
}

function localMark(locale: string): string {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
  return parts.find(({ type }) => type === 'decimal')?.value ?? '.';
}
