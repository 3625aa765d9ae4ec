import type { ChatMessage } from '../src/lib/chat-message';
import type { DeepReadonly } from '../src/lib/deep-readonly';

/** What one tab showed at the last look, by message. */
type Lengths = ReadonlyMap<string, number>;

/**
 * What tabs show of messages while they are looked at: of each the beginning of one text, in every tab the same; never
 * less than a moment ago, unless the conversation was fetched again, whose answer may be from a moment before; and all
 * in their order, each once.
 */
export class Shown {
  /** What was shown and cannot be so. */
  readonly wrong: string[] = [];
  private readonly longest = new Map<string, string>();
  private readonly last = new Map<unknown, { lengths: Lengths; fetching: boolean }>();

  constructor(private readonly forged: ReadonlySet<string>) {}

  /** Looks at a tab. `fetching`: what it shows is being fetched again. */
  look(tab: unknown, messages: DeepReadonly<readonly ChatMessage[]>, fetching: boolean): void {
    const before = this.last.get(tab);
    const lengths = new Map<string, number>();
    let place = 0;
    for (const { id, seq, text } of messages) {
      if (seq <= place || lengths.has(id)) this.wrong.push(`${id} stands at ${seq}, behind ${place}`);
      if (this.forged.has(id)) this.wrong.push(`${id} is of a branch that was cut`);
      if (!fetching && before?.fetching === false && text.length < (before.lengths.get(id) ?? 0))
        this.wrong.push(`${id} has become shorter: ${text}`);
      const known = this.longest.get(id) ?? '';
      if (text.length > known.length) this.longest.set(id, text);
      const [short, long] = text.length > known.length ? [known, text] : [text, known];
      if (!long.startsWith(short)) this.wrong.push(`${id} says two things: ${short} | ${long}`);
      lengths.set(id, text.length);
      place = seq;
    }
    this.last.set(tab, { lengths, fetching });
  }

  /** What was shown of a message at most. */
  of(id: string): string {
    return this.longest.get(id) ?? '';
  }
}
