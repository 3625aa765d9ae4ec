import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

import { mark, prefix, sweep } from './throwaway';

const root = path.resolve(import.meta.dirname, '../..');

/** The settings with which a node may be started, in addition to the defaults. */
export type Environment = Record<string, string>;

/**
 * A separate server for a test: the built binary on free ports, with its embedded database in a folder that is
 * deleted when the test ends.
 */
export class Product {
  readonly url: string;
  private child: ChildProcess | undefined;
  private log = '';

  private constructor(
    private readonly data: string,
    private readonly port: number,
    private readonly operatorPort: number,
    private readonly extra: Environment,
  ) {
    this.url = `http://localhost:${port}`;
  }

  /**
   * Starts a server and returns when it is ready. `from` is the folder of a stopped server, whose data are the
   * initial ones: creating a database and the sample data takes 3.6 s of a core, which each test file would need.
   */
  static async start(extra: Environment = {}, from?: string): Promise<Product> {
    await sweep();
    const data = await mkdtemp(path.join(tmpdir(), prefix));
    // If it is started by root, the database runs as another user: in a folder that is closed to that user, the
    // server would put it elsewhere, where it would not be deleted.
    await chmod(data, 0o711);
    // With the system's own program, which preserves the owners: the database refuses files of another user.
    if (from !== undefined) await promisify(execFile)('cp', ['-a', `${from}/.`, data]);
    const product = new Product(data, await freePort(), await freePort(), extra);
    try {
      await product.boot();
    } catch (error) {
      // The caller gets no server that it could stop, so it is stopped here.
      await product.stop();
      throw error;
    }
    return product;
  }

  /** The address of this server's database. */
  database(): string {
    const database = /takes connections" url="?([^\s"]+)/.exec(this.log)?.[1];
    if (database === undefined) throw new Error('the node does not say where its database is');
    return database;
  }

  /** Starts a second node on the database and files of this one. */
  async startPeer(): Promise<Product> {
    return Product.start({
      DATABASE_URL: this.database(),
      PARLEY_FILES: `file://${path.join(this.data, 'files')}`,
    });
  }

  /** Starts the process again on the same data, as an operator would. */
  async boot(): Promise<void> {
    const child = spawn(path.join(root, 'bin/parley'), ['serve'], {
      cwd: root,
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        PARLEY_ADDR: `localhost:${this.port}`,
        PARLEY_OPERATOR_ADDR: `localhost:${this.operatorPort}`,
        PARLEY_DATA: this.data,
        PARLEY_NODE: `e2e-${this.port}`,
        PARLEY_SCRIPTED: 'true',
        PARLEY_SENDS_PER_MINUTE: '10000',
        PARLEY_SIGN_INS_PER_MINUTE: '10000',
        PARLEY_DRAIN_SECONDS: '1',
        // The address of the private database is logged at this level only.
        PARLEY_LOG: 'debug',
        ...this.extra,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    await mark(this.data, child.pid);
    const keep = (chunk: Buffer) => {
      this.log = (this.log + chunk.toString()).slice(-2_000_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const deadline = Date.now() + 240_000;
    for (;;) {
      if (child.exitCode !== null) throw new Error(`the server ended:\n${this.log}`);
      if (Date.now() > deadline) throw new Error(`the server is not ready:\n${this.log}`);
      const ready = await fetch(`http://localhost:${this.operatorPort}/readyz`).then(
        (answer) => answer.ok,
        () => false,
      );
      if (ready) return;
      await wait(100);
    }
  }

  /** kill -9, like a crash; the database process dies with it or is adopted at the next start. */
  async kill(): Promise<void> {
    const child = this.child;
    if (child?.exitCode !== null || child.killed) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  /** Stops the server properly and deletes its data. */
  async stop(): Promise<void> {
    await this.end();
    await rm(this.data, { recursive: true, force: true });
  }

  /** Stops the server properly and returns the folder of its data, which this process must delete. */
  async end(): Promise<string> {
    const child = this.child;
    if (child?.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    }
    await mark(this.data, undefined);
    return this.data;
  }

  /** The output of the server, for a failing test. */
  output(): string {
    return this.log;
  }

  /** A bearer of a demo person, as for scripts. It is the same one each time, except for another `machine`. */
  async token(email: string, machine = '.'): Promise<string> {
    const child = spawn(path.join(root, 'bin/parley'), ['token', '--user', email, '--url', this.url], {
      env: { PATH: process.env['PATH'], HOME: path.join(this.data, machine) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    // Not `exit`: on a busy machine the process may have ended before its output was read, and the bearer would be
    // empty.
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`no token for ${email}: ${err}`);
    return out.trim();
  }

  /** A call of the API with a bearer; `path` is below /api/v1/. */
  async call(token: string, method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(`${this.url}/api/v1/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        // A form says its own type.
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
  }
}

/**
 * A free port that the system does not assign to processes which ask for any port: a server can use it again later.
 */
async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(10_000, 30_000);
    const server = createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, 'localhost', () => resolve(true));
    });
    if (!free) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
  throw new Error('no port');
}
