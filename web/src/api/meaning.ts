import { call } from './client';
import { path } from './path';
import type { Correction, CorrectionRequest, Meaning } from '@/lib/wire';

/** What the data of a connector mean, with what people said about them. */
export function getMeaning(id: number): Promise<Meaning> {
  return call('GET', path`memory/datasources/${id}/meaning`, { quiet: true });
}

export function addCorrection(
  id: number,
  correction: CorrectionRequest,
  idempotencyKey: string,
): Promise<Correction> {
  return call('POST', path`memory/datasources/${id}/corrections`, {
    body: correction,
    idempotencyKey,
    quiet: true,
  });
}

export function takeCorrectionBack(id: number, correction: number): Promise<unknown> {
  return call('DELETE', path`memory/datasources/${id}/corrections`, { query: { correction }, quiet: true });
}
