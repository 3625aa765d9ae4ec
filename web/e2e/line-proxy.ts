import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { type Storm, StormyStream } from './stormy-stream';

/** One connection that goes through: the browser's end and the server's. */
interface Wire {
  near: Socket;
  far: Socket;
  /** It carries the live stream, and not calls. */
  stream: boolean;
}

/**
 * The network between a browser and its server: bytes go through as they are, until a test cuts the connections,
 * refuses new ones, or lets those that are there fall silent. It knows of HTTP only how a request for the stream
 * begins.
 */
export class LineProxy {
  /** Streams that were asked for, whether they came to be or not. */
  streams = 0;
  /** Streams that have met the fate that a storm had for them. */
  cuts = 0;
  private port = 0;
  private refusing = false;
  private silent: Set<Wire> = new Set();
  private weather: Storm | null = null;
  private readonly wires = new Set<Wire>();

  private constructor(private readonly server: Server) {
    server.on('connection', (near) => {
      this.accept(near);
    });
  }

  /** Begins to listen; nothing goes through before `to` has named the server. */
  static async start(): Promise<LineProxy> {
    const server = createServer();
    const proxy = new LineProxy(server);
    server.listen(0, 'localhost');
    await once(server, 'listening');
    return proxy;
  }

  /** The address that browsers are given. */
  get url(): string {
    return `http://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  /** Names the server. */
  to(url: string): void {
    this.port = Number(new URL(url).port);
  }

  /** The network is gone: what is open breaks, and nothing new comes to be. */
  down(): void {
    this.refusing = true;
    for (const wire of [...this.wires]) this.cut(wire);
  }

  /** The network is there again. */
  up(): void {
    this.refusing = false;
  }

  /** Breaks the streams that are open, and nothing else. */
  cutStreams(): void {
    for (const wire of [...this.wires]) if (wire.stream) this.cut(wire);
  }

  /** What is open stays open, but not a byte of it comes through any more; new connections work. */
  stall(): void {
    this.silent = new Set(this.wires);
  }

  /** From now on each new stream has a fate; `null` ends that, for those too that have not met theirs. */
  storm(storm: Storm | null): void {
    this.weather = storm;
  }

  async stop(): Promise<void> {
    this.down();
    this.server.close();
    await once(this.server, 'close');
  }

  private accept(near: Socket): void {
    const far = connect(this.port, 'localhost');
    const wire: Wire = { near, far, stream: false };
    this.wires.add(wire);
    // How a broken connection broke is of no interest here: its other end is broken as well.
    for (const socket of [near, far]) {
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.cut(wire);
      });
    }
    let storm: StormyStream | null = null;
    near.on('data', (bytes) => {
      if (!wire.stream && asksForStream(bytes)) {
        wire.stream = true;
        this.streams += 1;
        if (this.weather) storm = this.meets(wire, this.weather);
      }
      if (this.refusing || storm?.isRefused === true) this.cut(wire);
      else if (!this.silent.has(wire)) far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (this.silent.has(wire)) return;
      if (storm) storm.take(bytes, this.weather !== null);
      else near.write(bytes);
    });
  }

  /** A stream begins whose fate is known. */
  private meets(wire: Wire, storm: Storm): StormyStream {
    const fate = storm.fate();
    const met = (): void => {
      this.cuts += 1;
      if (fate.end === 'silence') this.silent.add(wire);
      storm.met?.(fate);
    };
    if (fate.end === 'refused') met();
    return new StormyStream(fate, wire.near, storm.mix?.() ?? ((frames) => frames), {
      met,
      end: () => this.cut(wire),
    });
  }

  private cut(wire: Wire): void {
    this.wires.delete(wire);
    wire.near.destroy();
    wire.far.destroy();
  }
}

function asksForStream(bytes: Buffer): boolean {
  return /^GET \S+\/stream[? ]/.test(bytes.subarray(0, 200).toString('latin1'));
}
