import { getBearer } from '@/api/client';

/** The address at which the server publishes its contract. */
export const contractUrl = '/api/v1/openapi.json';

/** Signs a request that a person tries out on the reference page, as themselves. */
export function signRequest<R extends { headers: Record<string, string> }>(request: R): R {
  const bearer = getBearer();
  if (bearer !== null) request.headers['Authorization'] = `Bearer ${bearer}`;
  return request;
}
