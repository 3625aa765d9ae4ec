import { distinguishable } from '@/lib/text';
import { asPlainText } from './value-format';

/**
 * Returns how to write names of which each has space for `limit` characters, so that names that begin alike stay
 * distinct. The names in the chart were escaped before; they are escaped again after the cut. Other texts stay as
 * they are.
 */
export function cutNames(names: readonly string[], limit: number): (plain: string) => string {
  const show = distinguishable(names, limit);
  const shown = new Map(names.map((name) => [asPlainText(name), asPlainText(show(name))]));
  return (plain) => shown.get(plain) ?? plain;
}
