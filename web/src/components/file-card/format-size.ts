const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** A size that one can read: 1,536 is "1.5 kB". Null when the size is not known or makes no sense. */
export function formatSize(bytes: number | null | undefined): string | null {
  if (bytes === null || bytes === undefined || !Number.isFinite(bytes) || bytes < 0) return null;
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.5 ? 0 : 1;
  const number = value.toLocaleString('en', { minimumFractionDigits: 0, maximumFractionDigits: digits });
  return `${number} ${units[unit] ?? 'B'}`;
}
