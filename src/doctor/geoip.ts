import type { Config } from '../config/config.ts';
import { readGeoip } from '../mail/geoip.ts';
import { withRemedy } from './check.ts';

/** Checks that the operator's geolocation database can be read. */
export async function checkGeoip({ geoipDatabase }: Config): Promise<string> {
  if (geoipDatabase === null) return 'Not set; the included database locates countries.';
  const { metadata } = await withRemedy(
    'Set POSTHOUSE_GEOIP_DB to a MaxMind database (.mmdb), such as GeoLite2 City.',
    () => readGeoip(geoipDatabase),
  );
  return `${geoipDatabase}; ${metadata.databaseType}, built on ${metadata.buildEpoch.toISOString().slice(0, 10)}.`;
}
