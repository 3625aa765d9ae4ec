/** An address that is not ours is an error of its own, which the error page explains. */
export function Component(): never {
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- the router shows a thrown response by its status
  throw new Response('Not found', { status: 404, statusText: 'Not found' });
}
