import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { type Storm, StormyStream } from './stormy-stream';

/** One proxied connection: the browser's side and the server's side. */
interface Wire {
  near: Socket;
  far: Socket;
  /** It carries the live stream, and not calls. */
  stream: boolean;
  /** The browser has sent a ping on it. */
  pinged: boolean;
}

/**
 * The network between a browser and its server: bytes are passed unchanged, until a test cuts the connections,
 * refuses new ones, or makes the existing ones silent. Of HTTP, it only knows how a request for the stream begins.
 */
export class LineProxy {
  /** The number of requested streams, whether they were opened or not. */
  streams = 0;
  /** The number of streams to which the failure of a storm has happened. */
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

  /** Starts to listen; nothing is passed before `to` has set the server. */
  static async start(): Promise<LineProxy> {
    const server = createServer();
    const proxy = new LineProxy(server);
    server.listen(0, 'localhost');
    await once(server, 'listening');
    return proxy;
  }

  /** The address for browsers. */
  get url(): string {
    return `http://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  /** Sets the server. */
  to(url: string): void {
    this.port = Number(new URL(url).port);
  }

  /** Simulates a network failure: open connections break, and new ones are refused. */
  down(): void {
    this.refusing = true;
    for (const wire of [...this.wires]) this.cut(wire);
  }

  /** Restores the network. */
  up(): void {
    this.refusing = false;
  }

  /** Breaks the open streams, and nothing else. */
  cutStreams(): void {
    for (const wire of [...this.wires]) if (wire.stream) this.cut(wire);
  }

  /** Open connections stay open, but no byte passes any more; new connections work. */
  stall(): void {
    this.silent = new Set(this.wires);
  }

  /**
   * From now on each new stream has a failure planned; `null` ends that, also for streams whose failure has not
   * happened yet.
   */
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
    const wire: Wire = { near, far, stream: false, pinged: false };
    this.wires.add(wire);
    // The reason of a broken connection does not matter: its other side is broken as well.
    for (const socket of [near, far]) {
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.cut(wire);
      });
    }
    let storm: StormyStream | null = null;
    near.on('data', (bytes) => {
      wire.pinged ||= wire.stream && isPing(bytes);
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

  /** Starts a stream with a planned failure. */
  private meets(wire: Wire, storm: Storm): StormyStream {
    const fate = storm.fate(() => wire.pinged);
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

/** A masked text frame as long as `{"type":"ping"}`; the browser sends no other frame of this length. */
function isPing(bytes: Buffer): boolean {
  return bytes[0] === 0x81 && bytes[1] === (0x80 | 15);
}
