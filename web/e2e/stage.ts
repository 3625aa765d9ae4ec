import type { Browser } from 'playwright-core';
import { beforeAll, inject, onTestFinished } from 'vitest';

import { launch, type Seat, type SeatOptions, signIn, sit } from './browser';
import { type Opened, stoppedAtTheEnd } from './opened';
import { type Environment, Product } from './product';

/** Where a journey takes place: a server and a browser of its own, for all tests of a file. */
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
   * Opens a fresh browser profile on the product until the test ends. Tests that run side by side close their own
   * (`sit` of `browser.ts`): which of them has ended cannot be told here.
   */
  async sit(options?: SeatOptions): Promise<Seat> {
    const seat = await sit(this.browser, this.product, options);
    onTestFinished(() => seat.context.close());
    return seat;
  }

  /** The same with somebody signed in, who is at home. */
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
 * The beginning and the end of a file of journeys. `prepare` opens what the product needs first and answers what the
 * product is started with beyond its defaults.
 */
export function onStage(prepare?: (opened: Opened) => Promise<Environment> | Environment): Stage {
  const opened = stoppedAtTheEnd();
  const stage = new Stage();
  beforeAll(async () => {
    await stage.open(opened, (await prepare?.(opened)) ?? {});
  });
  return stage;
}
