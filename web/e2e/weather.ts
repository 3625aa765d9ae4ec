import type { EventFrame } from '../src/stream/frames';
import type { Random } from '../src/testing/random';
import { type Frame, textFrame } from './server-frames';
import type { Fate, Mix, Storm } from './stormy-stream';
import type { Tab } from './tab';

/** The number of counted tries of a client in a row; it is from the specification, not from the client's code. */
export const lastTry = 3;

const entry = /^\{"type":"(?:message|conversation|task)\./u;

/** Whether an event of a conversation's own log is for a prompt. */
function isPrompt({ text }: Frame): boolean {
  const { stream, data } = JSON.parse(text) as EventFrame;
  return stream !== 'user' && (data as { role?: string }).role === 'user';
}

/** The frame of an owner that does not know of a rewind: the next event, of the branch that was cut. */
function late({ text }: Frame, before: readonly Frame[], forged: Set<string>): Frame[] {
  const { type, stream, seq, epoch, generation, at } = JSON.parse(text) as EventFrame;
  const like = before.findLast(
    (frame) => frame.text.startsWith('{"type":"message.created"') && isPrompt(frame),
  );
  if (type !== 'conversation.rewound' || stream === 'user' || !like) return [];
  const id = crypto.randomUUID();
  forged.add(id);
  const data = { ...((JSON.parse(like.text) as EventFrame).data as object), id, seq: seq + 1 };
  const frame = {
    type: 'message.created',
    stream,
    seq: seq + 1,
    epoch,
    generation: generation - 1,
    at,
    data,
  };
  return [textFrame(JSON.stringify(frame))];
}

/** Repeats entries of logs and pieces of text, and swaps them with the next one; adds late ones after a rewind. */
function mixer(
  random: Random,
  seen: { repeats: number; swaps: number; late: number },
  forged: Set<string>,
): Mix {
  const brought: Frame[] = [];
  return (frames) => {
    const out = [...frames];
    for (let at = 0; at + 1 < out.length; at++) {
      if (!entry.test(out[at]!.text) || !entry.test(out[at + 1]!.text) || !random.chance(0.05)) continue;
      [out[at], out[at + 1]] = [out[at + 1]!, out[at]!];
      seen.swaps++;
    }
    for (let at = out.length - 1; at >= 0; at--) {
      const after = entry.test(out[at]!.text) ? late(out[at]!, [...brought, ...out], forged) : [];
      out.splice(at + 1, 0, ...after);
      seen.late += after.length;
    }
    const known = out.filter(({ text }) => entry.test(text));
    if (brought.length > 0 && random.chance(0.1)) {
      out.push(random.pick(brought));
      seen.repeats++;
    }
    brought.push(...known);
    brought.splice(0, brought.length - 20);
    return out;
  };
}

/** Codes after which a client reconnects; 4402, which needs another bearer, is handled separately. */
const codes = [1000, 1001, 1011, 4408, 4429, 4503];

/** The number of counted tries of a tab in a row. */
export function tries(tab: Tab): number {
  const { connection } = tab.line;
  return connection.phase === 'retrying' ? connection.attempt : 0;
}

/** The environment of a `Weather`. */
interface Sky {
  tabs: readonly Tab[];
  /** The index of its own tab. */
  at: number;
  /** How far the clock of the tabs is ahead, in ms. */
  clock: { ahead: number };
  /** Collects the ids of messages that no server has sent. */
  forged: Set<string>;
}

/**
 * The storm for one tab, and counts of its failures. It is never worse than a client must tolerate: the last of the
 * three counted tries succeeds, and a new bearer is not refused.
 */
export class Weather {
  readonly seen = {
    refused: 0,
    cut: 0,
    silence: 0,
    close: 0,
    repeats: 0,
    swaps: 0,
    late: 0,
    renewed: 0,
    lastTries: 0,
  };
  /** A bearer was reported as expired, and no stream has been requested since. */
  private renewing = false;

  private readonly mix: Mix;

  constructor(
    private readonly random: Random,
    private readonly sky: Sky,
  ) {
    this.mix = mixer(random, this.seen, sky.forged);
  }

  readonly storm: Storm = {
    fate: () => this.fate(),
    mix: () => this.mix,
    met: (fate) => {
      this.seen[fate.end]++;
      if (fate.end === 'silence') this.waitOut();
    },
  };

  private fate(): Fate {
    const { random } = this;
    this.renewing = false;
    // A page gives up after its third failed try, which is correct: so the third one stays open until the page
    // knows that it is open.
    const last = this.tab !== undefined && tries(this.tab) >= lastTry;
    if (last) this.seen.lastTries++;
    const isOpen = (): boolean => this.tab?.line.connection.phase === 'open';
    const from = last || random.chance(0.5) ? { from: isOpen } : {};
    const what = random.next();
    if (what < 0.1 && !last) return { end: 'refused' };
    if (what < 0.7) return { end: 'cut', after: random.below(random.pick([300, 1_500])), ...from };
    if (what < 0.8) return { end: 'silence', after: random.below(600), ...from };
    const other = random.pick(codes);
    const code = what < 0.85 ? () => this.bearerEnded() ?? other : () => other;
    return { end: 'close', frames: random.below(6), code, ...from };
  }

  /** The code for it; null if the bearer is new, because its refusal would correctly end the sign-in. */
  private bearerEnded(): number | null {
    if (this.renewing || !this.tab || Date.now() - this.tab.bearer.since < 30_000) return null;
    this.renewing = true;
    this.seen.renewed++;
    return 4402;
  }

  private get tab(): Tab | undefined {
    return this.sky.tabs[this.sky.at];
  }

  /** No frames arrive any more: two keep-alives are missed, in every tab. */
  private waitOut(): void {
    // A try that has not succeeded yet counts as failed when that much time has passed.
    if (this.sky.tabs.some((tab) => tries(tab) >= lastTry)) {
      setTimeout(() => this.waitOut(), 5);
      return;
    }
    this.sky.clock.ahead += 60_000;
    this.tab?.wake();
  }
}
