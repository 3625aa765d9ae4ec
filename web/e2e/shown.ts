import type { ChatMessage } from '../src/lib/chat-message';
import type { DeepReadonly } from '../src/lib/deep-readonly';

/** The lengths of the messages that one tab showed at the last check. */
type Lengths = ReadonlyMap<string, number>;

/**
 * Checks the messages that tabs show: each is a beginning of one text, the same in every tab; never shorter than at
 * the last check, unless the conversation was fetched again, whose answer may be slightly older; and all are in
 * order, each once.
 */
export class Shown {
  /** The errors that were found. */
  readonly wrong: string[] = [];
  private readonly longest = new Map<string, string>();
  private readonly last = new Map<unknown, { lengths: Lengths; fetching: boolean }>();

  constructor(private readonly forged: ReadonlySet<string>) {}

  /** Checks a tab. `fetching`: its conversation is being fetched again. */
  look(tab: unknown, messages: DeepReadonly<readonly ChatMessage[]>, fetching: boolean): void {
    const before = this.last.get(tab);
    const lengths = new Map<string, number>();
    let place = 0;
    for (const { id, seq, text } of messages) {
      if (seq <= place || lengths.has(id)) this.wrong.push(`${id} is at ${seq}, after ${place}`);
      if (this.forged.has(id)) this.wrong.push(`${id} belongs to a branch that was cut`);
      if (!fetching && before?.fetching === false && text.length < (before.lengths.get(id) ?? 0))
        this.wrong.push(`${id} has become shorter: ${text}`);
      const known = this.longest.get(id) ?? '';
      if (text.length > known.length) this.longest.set(id, text);
      const [short, long] = text.length > known.length ? [known, text] : [text, known];
      if (!long.startsWith(short)) this.wrong.push(`${id} has two different texts: ${short} | ${long}`);
      lengths.set(id, text.length);
      place = seq;
    }
    this.last.set(tab, { lengths, fetching });
  }

  /** The longest text of a message that was shown. */
  of(id: string): string {
    return this.longest.get(id) ?? '';
  }
}
