/** How the list of conversations is divided, from the newest on. */
export const conversationGroups = ['today', 'yesterday', 'week', 'older'] as const;

export type ConversationGroup = (typeof conversationGroups)[number];

/** The start of the day that is `daysBefore` days before a moment, by the clock of this machine. */
function dayStart(now: number, daysBefore: number): number {
  const day = new Date(now);
  day.setHours(0, 0, 0, 0);
  // Set as a date, because the day on which clocks change has not 24 hours.
  day.setDate(day.getDate() - daysBefore);
  return day.getTime();
}

/** In which group a time stands: by days of the calendar, and the last seven of them are this week. */
export function groupOf(time: string, now: number): ConversationGroup {
  const at = Date.parse(time);
  // What a faster clock of the server dates tomorrow is of today.
  if (at >= dayStart(now, 0)) return 'today';
  if (at >= dayStart(now, 1)) return 'yesterday';
  return at >= dayStart(now, 6) ? 'week' : 'older';
}
