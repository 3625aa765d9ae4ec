import type { Conversation, Message } from '@/lib/wire';
import type { ClientFrame, ConversationCursor, EventType } from '@/stream/frames';
import { byteLength, dropBytes } from '@/stream/utf8';
import { conversationOf, messageOf } from './fixtures/wire';
import { ModelSocket } from './model-socket';
import type { Random } from './random';

/** One entry of a log, as it is sent. */
interface Entry {
  type: EventType;
  stream: string;
  seq: number;
  epoch: number;
  generation: number;
  at: string;
  data: unknown;
}

interface Held {
  log: Entry[];
  head: number;
  epoch: number;
  generation: number;
  name: string;
  updatedAt: string;
  unread: number;
  turn: { id: string; message: Message | null } | null;
  /** The turn that ended last. */
  ended: string | null;
  messages: Message[];
}

const words = ['north ', 'Łódź ', '12.5 ', '€ ', 'São ', 'grew ', '😀 ', '\n\n', 'net '];
/** The maximum number of entries that a conversation's stream replays; more cause a reset. */
const replayLimit = 40;

/**
 * The server as docs/stream-protocol.md describes it, with changing conversations: the reference that a client's
 * state is compared with. The server decides what happens; its sockets decide when frames arrive.
 */
export class ModelServer {
  readonly conversations = new Map<string, Held>();
  readonly sockets: ModelSocket[] = [];
  /** Every text that was ever written, including those that were removed. */
  readonly texts = new Map<string, string>();
  /** How often a client had to fetch a conversation (`resets`) or its lists (`resyncs`) again. */
  resets = 0;
  resyncs = 0;
  /** Called with each hello, before it is answered. */
  onHello: (
    cursor: Extract<ClientFrame, { type: 'hello' }>['cursor'],
    before: ModelSocket | undefined,
  ) => void = () => undefined;
  private readonly userLog: Entry[] = [];
  private ticks = 0;
  private names = 0;

  constructor(
    private readonly random: Random,
    ids: readonly string[],
  ) {
    for (const id of ids) {
      this.conversations.set(id, {
        log: [],
        head: 0,
        epoch: 1,
        generation: 0,
        name: id,
        updatedAt: this.clock(),
        unread: 0,
        turn: null,
        ended: null,
        messages: [],
      });
    }
  }

  /** Opens a socket, as a browser's `WebSocket` does. */
  connect(): ModelSocket {
    const socket = new ModelSocket(this.random, (frame) => this.hear(socket, frame));
    this.sockets.push(socket);
    return socket;
  }

  /** Lets an event happen in a conversation. */
  live(id: string): void {
    const held = this.held(id);
    const { random } = this;
    // In another tab.
    if (held.unread > 0 && random.chance(0.05)) this.read(id);
    if (held.turn === null) {
      const what = random.next();
      if (what < 0.5) this.prompt(id, `u${++this.names}`, `ask ${this.names}`);
      else if (what < 0.65) this.rename(id);
      else if (what < 0.75) held.epoch++;
      else if (what < 0.85) this.rewind(id);
      return;
    }
    const { id: turn, message } = held.turn;
    if (random.chance(0.2)) this.sayProgress(id, turn);
    const what = random.next();
    if (message === null) {
      if (what < 0.8) this.open(id);
      else this.end(id, 'complete');
    } else if (what < 0.75) this.write(id, message);
    else if (what < 0.8) this.annotate(id, message);
    else if (what < 0.85) this.fold(id, message, 'complete');
    else if (what < 0.88) this.failOver(id);
    else if (what < 0.9) this.rewind(id);
    else this.end(id, random.pick(['complete', 'stopped', 'failed']));
  }

  /**
   * Accepts a prompt; a repeated one only once. Returns false if the caller has not seen the last message, or if a
   * prompt is being answered.
   */
  prompt(id: string, message: string, text: string, parent?: string): boolean {
    const held = this.held(id);
    if (held.messages.some((known) => known.id === message)) return true;
    if (held.turn !== null || (parent !== undefined && held.messages.at(-1)?.id !== parent)) return false;
    held.turn = { id: `t${++this.names}`, message: null };
    this.create(id, {
      id: message,
      role: 'user',
      displayRole: 'user',
      text,
      status: 'complete',
      analyst: null,
    });
    if (held.ended !== null) this.sayProgress(id, held.ended);
    held.updatedAt = this.clock();
    this.tell(
      'message.created',
      { conversationId: id, messageId: message, role: 'user', streaming: true },
      held.updatedAt,
    );
    return true;
  }

  /** Ends all running turns. */
  finish(): void {
    for (const [id, held] of this.conversations) if (held.turn !== null) this.end(id, 'complete');
  }

  /** The conversation as a call returns it, with its newest messages, or those before a seq. */
  answer(id: string, size: number, before = Number.POSITIVE_INFINITY): Conversation {
    const held = this.held(id);
    const older = held.messages.filter((message) => message.seq < before);
    const page = older.slice(-size);
    return structuredClone({
      ...conversationOf({ id, name: held.name, unreadMessages: held.unread, updatedAt: held.updatedAt }),
      isStreaming: held.turn !== null,
      head: held.head,
      epoch: held.epoch,
      generation: held.generation,
      messageSet: page,
      ...(page[0] && page.length < older.length && { earlierMessages: page[0].seq }),
    });
  }

  /** The head of the person's own log. */
  get logHead(): number {
    return this.userLog.length;
  }

  /** The conversations of the list, the last used first. */
  list(): Conversation[] {
    const all = [...this.conversations.keys()].map((id) => this.answer(id, 0));
    return all.sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1)).map((c) => ({ ...c, messageSet: [] }));
  }

  /** The person has read it, in one of their tabs. */
  read(id: string): void {
    const held = this.held(id);
    held.unread = 0;
    this.tell('conversation.updated', { id, unreadMessages: 0 });
  }

  private held(id: string): Held {
    const held = this.conversations.get(id);
    if (!held) throw new Error(`no conversation ${id}`);
    return held;
  }

  private clock(): string {
    this.ticks++;
    return new Date(Date.UTC(2026, 10, 20) + this.ticks * 1000).toISOString();
  }

  private log(id: string, type: EventType, data: object): Entry {
    const held = this.held(id);
    const { epoch, generation } = held;
    const at = this.clock();
    const entry = { type, stream: id, seq: ++held.head, epoch, generation, at, data: structuredClone(data) };
    held.log.push(entry);
    for (const socket of this.sockets) if (socket.follows.has(id)) socket.push(id, entry, true);
    return entry;
  }

  private tell(type: EventType, data: object, at = this.clock()): void {
    const entry = { type, stream: 'user', seq: this.userLog.length + 1, epoch: 0, generation: 0, at, data };
    this.userLog.push(structuredClone(entry));
    for (const socket of this.sockets) if (socket.greeted) socket.push('user', entry, true);
  }

  private create(id: string, changes: Partial<Message>): Message {
    const held = this.held(id);
    const turnId = held.turn?.id ?? null;
    const seq = held.head + 1;
    const message = messageOf({ conversationId: id, seq, turnId, generation: held.generation, ...changes });
    this.log(id, 'message.created', message);
    held.messages.push(message);
    this.texts.set(message.id, message.text);
    return message;
  }

  private open(id: string): void {
    const { turn } = this.held(id);
    if (turn) turn.message = this.create(id, { id: `a${++this.names}`, status: 'streaming' });
  }

  private write(id: string, message: Message): void {
    const { epoch, generation } = this.held(id);
    const offset = byteLength(message.text);
    const text = Array.from({ length: 1 + this.random.below(3) }, () => this.random.pick(words)).join('');
    message.text += text;
    this.texts.set(message.id, message.text);
    const frame = { type: 'message.delta', stream: id, epoch, generation, message: message.id, offset, text };
    for (const socket of this.sockets) if (socket.follows.has(id)) socket.push(id, frame, true);
  }

  /** The progress of a turn, here its name. It is not in a log, and may arrive late. */
  private sayProgress(id: string, turnId: string): void {
    const { epoch, generation } = this.held(id);
    const data = { turnId, text: turnId };
    const frame = { type: 'turn.progress', stream: id, epoch, generation, data };
    for (const socket of this.sockets) if (socket.follows.has(id)) socket.push(id, frame, true);
  }

  private annotate(id: string, message: Message): void {
    const annotation = { planStep: 1 + this.random.below(5) };
    message.annotation = { ...message.annotation, ...annotation };
    this.log(id, 'message.updated', { id: message.id, annotation });
  }

  private fold(id: string, message: Message, status: Message['status']): void {
    const held = this.held(id);
    message.status = status;
    if (held.turn) held.turn.message = null;
    this.log(id, 'message.updated', { id: message.id, status, length: byteLength(message.text) });
  }

  private end(id: string, status: 'complete' | 'stopped' | 'failed'): void {
    const held = this.held(id);
    if (!held.turn) return;
    if (held.turn.message) this.fold(id, held.turn.message, status);
    const data = { conversationId: id, turnId: held.turn.id, status, credits: 0 };
    held.ended = held.turn.id;
    held.turn = null;
    if (status !== 'stopped') held.unread++;
    held.updatedAt = this.clock();
    this.log(id, 'conversation.streaming-complete', data);
    this.tell('conversation.streaming-complete', data, held.updatedAt);
  }

  /** The node stops; another one takes over the conversation and continues it. */
  private failOver(id: string): void {
    this.held(id).epoch++;
  }

  private rename(id: string): void {
    const held = this.held(id);
    held.name = `${id} ${++this.names}`;
    this.log(id, 'conversation.updated', { id, name: held.name });
    held.updatedAt = this.clock();
    this.tell('conversation.updated', { id, name: held.name }, held.updatedAt);
  }

  /** Rewinds it, as from another tab. */
  rewind(id: string): void {
    const held = this.held(id);
    const prompts = held.messages.filter((message) => message.role === 'user');
    if (prompts.length < 2) return;
    this.end(id, 'stopped');
    const { seq: fromSeq } = this.random.pick(prompts.slice(1));
    const { generation } = held;
    held.generation++;
    held.messages = held.messages.filter((message) => message.seq < fromSeq);
    this.log(id, 'conversation.rewound', { fromSeq, generation: held.generation });
    this.sayLate(id, generation);
    held.updatedAt = this.clock();
    this.tell('conversation.rewound', { conversationId: id }, held.updatedAt);
  }

  /**
   * The frame of an owner that does not know of a rewind: the next event, of the branch that was cut. It is not in
   * a log.
   */
  private sayLate(id: string, generation: number): void {
    const { head, epoch } = this.held(id);
    const data = messageOf({ conversationId: id, id: `late ${++this.names}`, seq: head + 1, generation });
    const entry = {
      type: 'message.created',
      stream: id,
      seq: head + 1,
      epoch,
      generation,
      at: this.clock(),
      data,
    };
    for (const socket of this.sockets) if (socket.follows.has(id)) socket.push(id, entry, true);
  }

  private hear(socket: ModelSocket, frame: ClientFrame): void {
    switch (frame.type) {
      case 'hello': {
        const { user, conversations } = frame.cursor;
        this.onHello(
          frame.cursor,
          this.sockets.findLast((other) => other !== socket && other.heard !== null),
        );
        socket.greeted = true;
        socket.heard = user ?? null;
        socket.push('user', { type: 'session.ready', seq: user ?? this.userLog.length });
        if (user !== undefined && this.random.chance(0.03)) {
          // The log does not reach back that far.
          this.resyncs++;
          socket.push('user', { type: 'session.resync', seq: this.userLog.length });
        } else if (user !== undefined)
          for (const entry of this.userLog.slice(user)) socket.push('user', entry, true);
        for (const [id, at] of Object.entries(conversations)) this.subscribe(socket, id, at);
        return;
      }
      case 'subscribe':
        this.subscribe(socket, frame.conversation, frame.at);
        return;
      case 'unsubscribe':
        socket.follows.delete(frame.conversation);
        return;
      case 'ping':
        socket.push('user', { type: 'keep-alive' });
    }
  }

  /**
   * Sends the entries after a cursor, or a reset if the cursor is not valid. From then on the subscription is live.
   */
  private subscribe(socket: ModelSocket, id: string, at: ConversationCursor): void {
    const held = this.held(id);
    const missed = held.log.slice(at.seq);
    const open = held.messages.find((message) => message.id === at.message);
    const rest = open && dropBytes(open.text, at.offset ?? 0);
    const fits = at.generation === held.generation && (at.message === undefined || typeof rest === 'string');
    if (!fits || missed.length > replayLimit || this.random.chance(0.05)) {
      this.resets++;
      socket.follows.delete(id);
      socket.push(id, { type: 'reset', stream: id, seq: held.head, generation: held.generation });
      return;
    }
    const place = { stream: id, epoch: held.epoch, generation: held.generation };
    const text = (message: Message, offset: number, piece: string): void => {
      if (piece !== '')
        socket.push(id, { type: 'message.delta', ...place, message: message.id, offset, text: piece });
    };
    socket.push(id, { type: 'subscribed', ...place, seq: held.head });
    if (open && typeof rest === 'string') text(open, at.offset ?? 0, rest);
    for (const entry of missed) {
      socket.push(id, entry, true);
      const { id: created, status } = entry.data as Message;
      const message = held.messages.find((known) => known.id === created);
      if (entry.type === 'message.created' && status === 'streaming' && message)
        text(message, 0, message.text);
    }
    socket.follows.add(id);
  }
}
