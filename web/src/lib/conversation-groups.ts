/** The groups of the list of conversations, from the newest on. */
export const conversationGroups = ['today', 'yesterday', 'week', 'older'] as const;

export type ConversationGroup = (typeof conversationGroups)[number];

/** The start of the day that is `daysBefore` days before a moment, by the clock of this machine. */
function dayStart(now: number, daysBefore: number): number {
  const day = new Date(now);
  day.setHours(0, 0, 0, 0);
  // Set as a date, because a day with a change of the clocks does not have 24 hours.
  day.setDate(day.getDate() - daysBefore);
  return day.getTime();
}

/** The group of a time: by calendar days; the last seven of them are this week. */
export function groupOf(time: string, now: number): ConversationGroup {
  const at = Date.parse(time);
  // If the server's clock is fast, a time may be dated tomorrow; it belongs to today.
  if (at >= dayStart(now, 0)) return 'today';
  if (at >= dayStart(now, 1)) return 'yesterday';
  return at >= dayStart(now, 6) ? 'week' : 'older';
}
