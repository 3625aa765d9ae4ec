/** The fields of a message that a log needs; all other fields are kept. */
export interface LogMessage {
  id: string;
  /** Its position in the conversation; a message that only this tab knows yet is last. */
  seq: number;
  text: string;
}

type Listener = () => void;

/** Runs a task once before the next paint; in a hidden tab, where nothing is painted, after a short delay. */
export type Schedule = (task: () => void) => void;

const hiddenDelay = 250;

const beforePaint: Schedule = (task) => {
  if (document.hidden) setTimeout(task, hiddenDelay);
  else requestAnimationFrame(task);
};

/**
 * The messages of the open conversation, outside of any proxy: 10,000 of them can be kept cheaply, and a token
 * changes only one. Messages are never changed in place, so that a view can compare them by identity; changes are
 * published at most once a frame.
 */
export class MessageLog<M extends LogMessage> {
  private messages: M[] = [];
  private places = new Map<string, number>();
  private published: readonly M[] = [];
  private scheduled = false;
  private readonly listeners = new Set<Listener>();
  private readonly schedule: Schedule;

  constructor(schedule: Schedule = beforePaint) {
    this.schedule = schedule;
  }

  /** Calls back after each published change. */
  readonly subscribe = (listener: Listener): (() => void) => {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  };

  /** What was published last; the same array until something changes. */
  readonly snapshot = (): readonly M[] => this.published;

  /** All messages as they are now, published or not. */
  now(): readonly M[] {
    return this.messages;
  }

  /** The message as it is now, published or not. */
  get(id: string): M | undefined {
    const place = this.places.get(id);
    return place === undefined ? undefined : this.messages[place];
  }

  /** Replaces everything, at once: a fetched conversation is never shown partially. */
  replaceAll(messages: readonly M[]): void {
    this.messages = [...messages].sort((a, b) => a.seq - b.seq);
    this.index();
    this.publish();
  }

  /** Replaces the message with the same id, else inserts it at its position. */
  put(message: M): void {
    const place = this.places.get(message.id);
    if (place !== undefined && this.messages[place]?.seq === message.seq) {
      this.messages[place] = message;
    } else {
      if (place !== undefined) this.messages.splice(place, 1);
      let at = this.messages.length;
      while (at > 0 && (this.messages[at - 1]?.seq ?? 0) > message.seq) at--;
      this.messages.splice(at, 0, message);
      this.index();
    }
    this.changed();
  }

  /** Adds older messages, at once; those that are known already are not changed. */
  addEarlier(messages: readonly M[]): void {
    this.replaceAll([...messages.filter((message) => !this.places.has(message.id)), ...this.messages]);
  }

  /** Changes one message, if it exists. */
  update(id: string, change: (message: M) => M): void {
    const place = this.places.get(id);
    const message = place === undefined ? undefined : this.messages[place];
    if (place === undefined || message === undefined) return;
    this.messages[place] = change(message);
    this.changed();
  }

  /** Adds text to a message, if it exists. */
  append(id: string, text: string): void {
    this.update(id, (message) => ({ ...message, text: message.text + text }));
  }

  /** Removes the messages that do not pass. */
  keep(passes: (message: M) => boolean): void {
    this.messages = this.messages.filter(passes);
    this.index();
    this.changed();
  }

  /** Publishes pending changes at once, for a state outside the log that must not be shown before them. */
  flush(): void {
    if (this.scheduled) this.publish();
  }

  private index(): void {
    this.places = new Map(this.messages.map((message, place) => [message.id, place]));
  }

  private changed(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    this.schedule(() => {
      if (this.scheduled) this.publish();
    });
  }

  private publish(): void {
    this.scheduled = false;
    this.published = [...this.messages];
    for (const listener of this.listeners) listener();
  }
}
