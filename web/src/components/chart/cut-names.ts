import { tellApart } from '@/lib/text';
import { asPlainText } from './value-format';

/**
 * How names are written that have room for `limit` characters each, so that those which begin alike stay apart. What
 * the chart holds of a name was made plain before; it is made so again after the cut. Other texts stay as they are.
 */
export function cutNames(names: readonly string[], limit: number): (plain: string) => string {
  const show = tellApart(names, limit);
  const shown = new Map(names.map((name) => [asPlainText(name), asPlainText(show(name))]));
  return (plain) => shown.get(plain) ?? plain;
}
