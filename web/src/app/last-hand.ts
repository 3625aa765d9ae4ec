/**
 * Says on the root element whether the last press was on a key or of a pointer, for style sheets: Radix's tabs call
 * `focus()` when the mouse is pressed, and browsers then match `:focus-visible` if nothing or a text box had the focus.
 */
export function followHand(options: AddEventListenerOptions = {}): void {
  const follow = (hand: 'pointer' | 'keys'): void => document.documentElement.setAttribute('data-hand', hand);
  // Until the first press, rings are as if there were only keys.
  follow('keys');
  for (const [press, hand] of [
    ['pointerdown', 'pointer'],
    ['keydown', 'keys'],
  ] as const) {
    // On the way down, before the press moves the focus, and also where it is not passed on.
    document.addEventListener(press, () => follow(hand), { ...options, capture: true });
  }
}
