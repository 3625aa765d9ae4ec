import { createContext, useContext } from 'react';

/** Sends a question in the open conversation. */
type Ask = (question: string) => void;

/** Around the last answer of a conversation in which one may ask; what is shown in it can offer questions of its own. */
export const Asking = createContext<Ask | null>(null);

/** Asks a question about what is shown; null where nothing can be asked. */
export function useAsk(): Ask | null {
  return useContext(Asking);
}
