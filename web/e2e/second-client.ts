import type { Random } from '../src/testing/random';
import { type ApiConversation, retailOrders, scriptedAgent } from './api';
import type { Product } from './product';

/** Words that take more than one byte, for names that are cut. */
const words = ['Łódź', 'São Paulo', '12 €', '😀', 'Ärger', 'plain'];

/** The maximum number of conversations; when it is reached, one is deleted before another is made. */
const most = 8;
const fewest = 5;

/**
 * Another client of the same person, which does over the API everything that a person may do in another browser:
 * prompts, stops, rewinds, names, favourites, archives, reads, deletes, and tasks.
 */
export class SecondClient {
  /** The number of actions by kind: a test checks that there were enough. */
  readonly did: Record<string, number> = {};
  readonly ids: string[] = [];
  private readonly tasks: string[] = [];
  private count = 0;

  private constructor(
    private readonly product: Product,
    private readonly token: string,
    private readonly random: Random,
    private readonly agent: number,
    private readonly orders: number,
    private readonly blueprint: number,
  ) {}

  static async start(product: Product, token: string, random: Random): Promise<SecondClient> {
    const listed = await product.call(token, 'GET', 'discourse/blueprints?page_size=1');
    const { results } = (await listed.json()) as { results: { id: number }[] };
    const client = new SecondClient(
      product,
      token,
      random,
      await scriptedAgent(product, token),
      await retailOrders(product, token),
      results[0]!.id,
    );
    for (let made = 0; made < fewest; made++) await client.make();
    for (const id of client.ids) await client.prompt(id);
    return client;
  }

  /** Performs one action. `keep` are conversations that a tab has open: these are not deleted. */
  async act(keep: readonly string[]): Promise<void> {
    const id = this.random.pick(this.ids);
    const what = this.random.next();
    if (what < 0.35) await this.prompt(this.random.chance(0.6) ? this.random.pick(keep) : id);
    else if (what < 0.45) await this.rename(id);
    else if (what < 0.53) await this.rewind(this.random.chance(0.6) ? this.random.pick(keep) : id);
    else if (what < 0.6)
      await this.do('stop', 'POST', 'analyst/process-control/stop-process-in-redis', { conversationId: id });
    else if (what < 0.66) await this.do('read', 'POST', `discourse/conversations/${id}/read`);
    else if (what < 0.72) await this.favorite(id);
    else if (what < 0.77) await this.archive(id);
    else if (what < 0.87) await this.task();
    else if (this.ids.length < most) await this.make();
    else await this.remove(id, keep);
  }

  /** To be called when no turn is running: rewinds every other conversation, and renames some, in any order. */
  async settle(): Promise<void> {
    for (const id of [...this.ids].sort(() => this.random.next() - 0.5)) {
      if (this.random.chance(0.7)) await this.rewind(id);
      else await this.rename(id);
    }
  }

  /** Sends a prompt whose answer has this number of tokens. */
  async prompt(id: string, tokens = 20 + this.random.below(200)): Promise<void> {
    const seed = this.random.below(1_000);
    const query = this.random.chance(0.3) ? ' query="SELECT 1 AS one" plan=5 summary=5' : '';
    const text = `rate=${this.random.pick([60, 150, 400])} tokens=${tokens} seed=${seed}${query}`;
    const message = { id: crypto.randomUUID(), text, analystId: this.agent };
    // A prompt during an answer is refused, which is correct.
    const body = { conversationId: id, dataSources: [this.orders], message };
    await this.do('prompt', 'POST', 'discourse/user-text', body, [409]);
  }

  private async make(): Promise<void> {
    const made = await this.do('make', 'POST', 'discourse/conversations', { name: this.name() });
    this.ids.push(((await made.json()) as { id: string }).id);
  }

  private async rename(id: string): Promise<void> {
    await this.do('rename', 'PATCH', `discourse/conversations/${id}`, { name: this.name() });
  }

  private async rewind(id: string): Promise<void> {
    const read = await this.do('look', 'GET', `discourse/conversations/${id}`);
    const { messageSet } = (await read.json()) as ApiConversation;
    const prompts = messageSet.filter(({ role }) => role === 'user');
    if (prompts.length < 2) return;
    const { id: messageId } = this.random.pick(prompts.slice(-3));
    await this.do('rewind', 'POST', `discourse/conversations/${id}/rewind`, { messageId });
  }

  private async favorite(id: string): Promise<void> {
    const isFavorite = this.random.chance(0.5);
    await this.do('favorite', 'PUT', `discourse/conversations/${id}/favorite`, { isFavorite });
  }

  private async archive(id: string): Promise<void> {
    const status = this.random.chance(0.4) ? 'archived' : 'active';
    await this.do('archive', 'PATCH', `user/me/conversations/${id}/status`, { status });
  }

  private async remove(id: string, keep: readonly string[]): Promise<void> {
    if (keep.includes(id)) return;
    this.ids.splice(this.ids.indexOf(id), 1);
    await this.do('remove', 'DELETE', `discourse/conversations/${id}`);
  }

  private async task(): Promise<void> {
    const [first] = this.tasks;
    const what = this.random.next();
    if (first === undefined || (what < 0.4 && this.tasks.length < 6)) {
      const schedule = { type: 'cron', frequencyType: 'daily', timeZone: 'Europe/Lisbon', time: '06:30' };
      const task = {
        name: this.name(),
        icebreaker: this.blueprint,
        projectLabels: [],
        schedule,
        isEnabled: true,
      };
      const made = await this.do('task', 'POST', 'discourse/scheduledtasks', task);
      this.tasks.push(((await made.json()) as { id: string }).id);
    } else if (what < 0.8) {
      const id = this.random.pick(this.tasks);
      await this.do('task', 'PATCH', `user/me/scheduled-tasks/${id}/status`, {
        isEnabled: this.random.chance(0.5),
      });
    } else {
      this.tasks.shift();
      await this.do('task', 'DELETE', `discourse/scheduledtasks/${first}`);
    }
  }

  private name(): string {
    return `${this.random.pick(words)} ${++this.count}`;
  }

  private async do(
    what: string,
    method: string,
    path: string,
    body?: object,
    taken: readonly number[] = [],
  ): Promise<Response> {
    const answer = await this.product.call(this.token, method, path, body);
    if (!answer.ok && !taken.includes(answer.status)) {
      throw new Error(`${what}: ${method} ${path} ${answer.status} ${await answer.text()}`);
    }
    if (answer.ok) this.did[what] = (this.did[what] ?? 0) + 1;
    return answer;
  }
}
