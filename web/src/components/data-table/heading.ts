import { isAcronym } from '@/lib/column-name';

/**
 * A column's name as people write it, for tables of which the server says nothing: `order_date` is Order date,
 * `customer_id` is Customer ID, and so is “customer id”. A name with capitals stays as its maker wrote it.
 */
export function headingOf(name: string): string {
  if (!/^[a-z][a-z0-9]*(?:[_ ][a-z0-9]+)*$/u.test(name)) return name;
  const words = name.split(/[_ ]/u).map((word) => (isAcronym(word) ? word.toUpperCase() : word));
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
