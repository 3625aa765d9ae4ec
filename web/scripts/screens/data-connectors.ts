import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { retailOrders, until } from '../../e2e/api';
import type { Product } from '../../e2e/product';
import { type Call, share } from './calls';

/** The connectors in the pictures. */
export interface Connectors {
  /** That of the demo. */
  orders: number;
  /** A file with a long name, a star, and a person with whom it is shared. */
  upload: number;
  /** A workbook of two sheets. */
  book: number;
  /** A number that is a level over months, and is not added up. */
  seats: number;
  /** The same, of which a person has said how it is taken. */
  corrected: number;
}

const workbook = path.resolve(import.meta.dirname, '../../../eval/books/budget.xlsx');

/** Uploads the files. */
export async function makeConnectors(product: Product, token: string, call: Call): Promise<Connectors> {
  const upload = async (file: Blob, fileName: string, fields: Record<string, string>): Promise<number> => {
    const form = new FormData();
    for (const [field, value] of Object.entries({ scope: 'user', ...fields })) form.append(field, value);
    form.append('file', file, fileName);
    return (await call<{ id: number }>('POST', 'memory/file/datasources', form)).id;
  };
  const measured = async (id: number): Promise<number> => {
    await until('the measurement', async () => {
      const { measured: done } = await call<{ measured: boolean }>('GET', `memory/datasources/${id}/meaning`);
      return done;
    });
    return id;
  };
  const rows = Array.from({ length: 60 }, (_, i) => `Site ${i % 7},${100 + i * 3},2025-0${1 + (i % 9)}-15`);
  const harvest = await upload(new Blob([`orchard,kilos,picked_on\n${rows.join('\n')}\n`]), 'harvest.csv', {
    name: 'Orchard harvest 2023 to 2025, by site, variety and picking week (corrected)',
    description: 'Kilos by orchard and week, as the pickers wrote them down.',
    type: 'csv',
  });
  await call('PUT', `memory/datasources/${harvest}/favorite`, { isFavorite: true });
  await share(call, `memory/datasources/${harvest}`, 'Tomas Okafor');
  const book = await upload(new Blob([await readFile(workbook)]), 'Budget.xlsx', {
    name: 'Budget of the teams',
    description: 'What each team may spend in a month, and what it has spent.',
    type: 'xlsx',
  });
  const seats = await upload(new Blob([levels()]), 'seats.csv', {
    name: 'Seats',
    description: 'The seats of each account.',
    type: 'csv',
  });
  const corrected = await upload(new Blob([levels()]), 'seats of partners.csv', {
    name: 'Seats of partners',
    description: 'The seats of each account that a partner has sold.',
    type: 'csv',
  });
  return {
    orders: await retailOrders(product, token),
    upload: harvest,
    book,
    seats: await measured(seats),
    corrected: await measured(corrected),
  };
}

/** A row for each of 20 accounts in each of 12 months, with a number that changes in few months. */
function levels(): string {
  const rows = Array.from({ length: 20 }, (_, account) =>
    Array.from({ length: 12 }, (_, month) => {
      const day = `2025-${String(month + 1).padStart(2, '0')}-01`;
      return `A${100 + account},${day},${10 + account + (month > account % 11 ? 5 : 0)}`;
    }),
  );
  return ['account_id,month,seats', ...rows.flat()].join('\n');
}
