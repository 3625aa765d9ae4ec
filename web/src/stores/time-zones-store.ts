import { listTimeZones } from '@/api/tasks';
import { atSignOut } from '@/lib/at-sign-out';
import { Collection } from '@/lib/collection';
import { timeZonePageSize } from '@/lib/task';
import type { TimeZone } from '@/lib/wire';

/** A time zone by its name. */
export interface HeldZone extends TimeZone {
  id: string;
}

/** The time zones to choose from, by search. */
export const timeZones = new Collection<HeldZone, string>({
  list: async (search, page) => {
    const { results, pagination } = await listTimeZones(search, page, timeZonePageSize);
    return { results: results.map((zone) => ({ ...zone, id: zone.timezone })), pagination };
  },
});

atSignOut(() => timeZones.reset());
