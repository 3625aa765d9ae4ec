import { type TableReply, type TableRequest, tableHost } from './table-host';

/** The global scope of a worker; the types of the page know only windows. */
interface WorkerSelf {
  onmessage: ((event: MessageEvent<TableRequest>) => void) | null;
  postMessage: (reply: TableReply) => void;
}

const own = globalThis as unknown as WorkerSelf;
const answer = tableHost((reply) => {
  own.postMessage(reply);
});

own.onmessage = ({ data }) => {
  answer(data);
};
