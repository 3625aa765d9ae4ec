import { columnLabel } from '@/lib/column-name';

/**
 * A column's name as people write it, for tables that the server does not describe: `order_date` is Order date,
 * `customer_id` is Customer ID, and so is “customer id”. A name with capitals keeps them: `Umsatz_EUR` is Umsatz EUR.
 */
export function headingOf(name: string): string {
  return /^\p{L}[\p{L}\p{Nd}]*(?:[_ ][\p{L}\p{Nd}]+)*$/u.test(name) ? columnLabel(name) : name;
}
