import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message of the chat as a node sends it. */
export interface ModelMessage {
  role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  content?: string | { text?: string }[] | null;
}

/** The output of the model: a text, or a call of one tool. */
export interface Said {
  text?: string;
  tool?: { name: string; args: object };
}

/**
 * A model with the outputs of a test, over OpenAI's streamed chat completions
 * (https://platform.openai.com/docs/api-reference/chat/streaming).
 */
export class Model {
  private constructor(
    private readonly server: Server,
    /** The value for OPENAI_BASE_URL. */
    readonly url: string,
  ) {}

  /** Starts a model; `says` is called for each request, with the messages of the chat. */
  static async start(says: (messages: ModelMessage[]) => Said): Promise<Model> {
    const server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        if (request.method !== 'POST' || request.url?.endsWith('/chat/completions') !== true) {
          response.writeHead(404).end();
          return;
        }
        const { messages } = JSON.parse(Buffer.concat(parts).toString()) as { messages: ModelMessage[] };
        const { text, tool } = says(messages);
        const chunk = (delta: object, reason: string | null) =>
          `data: ${JSON.stringify({
            id: 'c',
            object: 'chat.completion.chunk',
            created: 0,
            model: 'm',
            choices: [{ index: 0, delta, finish_reason: reason }],
          })}\n\n`;
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        if (text !== undefined) response.write(chunk({ role: 'assistant', content: text }, null));
        if (tool !== undefined) {
          const call = { name: tool.name, arguments: JSON.stringify(tool.args) };
          response.write(
            chunk({ tool_calls: [{ index: 0, id: 'call1', type: 'function', function: call }] }, null),
          );
        }
        response.end(`${chunk({}, tool === undefined ? 'stop' : 'tool_calls')}data: [DONE]\n\n`);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Model(server, `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** The text of the person's last message, with everything that the node has put around it. */
export function asked(messages: readonly ModelMessage[]): string {
  const content = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  return typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('');
}
