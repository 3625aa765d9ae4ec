import { columnLabel } from '@/lib/column-name';

/**
 * A column's name as people write it, for tables that the server does not describe: `order_date` is Order date,
 * `customer_id` is Customer ID, and so is “customer id”. A name with capitals stays as its maker wrote it.
 */
export function headingOf(name: string): string {
  return /^[a-z][a-z0-9]*(?:[_ ][a-z0-9]+)*$/u.test(name) ? columnLabel(name) : name;
}
