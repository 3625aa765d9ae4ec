/**
 * Says on the root element whether the last press was on a key or of a pointer, for style sheets: Radix's tabs call
 * `focus()` when the mouse is pressed, and browsers then match `:focus-visible` if nothing or a text box had the focus.
 */
export function followHand(options: AddEventListenerOptions = {}): void {
  for (const [press, hand] of [
    ['pointerdown', 'pointer'],
    ['keydown', 'keys'],
  ] as const) {
    const say = (): void => document.documentElement.setAttribute('data-hand', hand);
    // On the way down, before the press moves the focus, and also where it is not passed on.
    document.addEventListener(press, say, { ...options, capture: true });
  }
}
