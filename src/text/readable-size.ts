const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Formats a size in binary units (IEC 80000-13) as `999 B` or `1.5 KiB`. @param locale BCP 47 language tag */
export function readableSize(bytes: number, locale = 'en'): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  const maximumFractionDigits = unit === 0 || value >= 99.95 ? 0 : 1;
  return `${value.toLocaleString(locale, { maximumFractionDigits })} ${UNITS[unit]}`;
}
