import type { Browser } from 'playwright-core';
import { beforeAll, inject, onTestFinished } from 'vitest';

import { lastSeen, launch, type Seat, type SeatOptions, signIn, sit } from './browser';
import { type Opened, stoppedAtTheEnd } from './opened';
import { type Environment, Product } from './product';

/** The environment of a test file: a separate server and browser for all of its tests. */
export class Stage {
  private opened: { product: Product; browser: Browser } | undefined;

  /** Opens both at once. Called by `onStage` before the first test. */
  async open(opened: Opened, environment: Environment): Promise<void> {
    const [product, { browser }] = await Promise.all([
      opened(Product.start(environment, inject('firstData'))),
      opened(launch().then((browser) => ({ browser, stop: () => browser.close() }))),
    ]);
    this.opened = { product, browser };
  }

  get product(): Product {
    return this.ready().product;
  }

  get browser(): Browser {
    return this.ready().browser;
  }

  /**
   * Opens a fresh browser profile on the product until the test ends. Tests that run concurrently close their own
   * (`sit` of `browser.ts`), because it is not known here which of them has ended.
   */
  async sit(options?: SeatOptions): Promise<Seat> {
    const seat = await sit(this.browser, this.product, options);
    onTestFinished(async ({ task }) => {
      // What the person saw last says more than the line at which the test waited.
      if (task.result?.state === 'fail') console.error(await lastSeen(seat));
      await seat.context.close();
    });
    return seat;
  }

  /** The same with a person who is signed in and on the home page. */
  async signedIn(email: string, options?: SeatOptions): Promise<Seat> {
    const seat = await this.sit(options);
    await signIn(seat.page, email);
    return seat;
  }

  private ready(): { product: Product; browser: Browser } {
    if (!this.opened)
      throw new Error('the stage opens before the first test, and not while tests are collected');
    return this.opened;
  }
}

/**
 * Sets up and tears down a test file. `prepare` opens what the product needs first and returns the settings with
 * which the product is started, in addition to the defaults.
 */
export function onStage(prepare?: (opened: Opened) => Promise<Environment> | Environment): Stage {
  const opened = stoppedAtTheEnd();
  const stage = new Stage();
  beforeAll(async () => {
    await stage.open(opened, (await prepare?.(opened)) ?? {});
  });
  return stage;
}
