import { clusterSettings } from '../../test/harness/databases.ts';
import { type Peers, startPeers } from '../../test/harness/peers.ts';
import { fail } from './options.ts';
import { record } from './report.ts';

/*
 * The database and the blob store of a benchmark: SQLite and local files, or with `--postgres` an embedded PostgreSQL,
 * whose commits wait for the disk, and a stand-in of S3. `--s3=URL` uses another S3 server instead of the stand-in: the
 * URL is a `POSTHOUSE_S3_URL` with an existing, empty bucket, and the keys are those in `AWS_ACCESS_KEY_ID` and
 * `AWS_SECRET_ACCESS_KEY`. The stand-in is slow; with the package `radosgw` of Debian, which serves S3 on port 7480 by
 * default:
 *
 *   radosgw-admin user create --uid=bench --display-name=bench   (prints the keys)
 *   npm run bench -- requests --postgres '--s3=s3://bench?endpoint=http://127.0.0.1:7480&region=default'
 */

export interface Engines {
  /** Returns the settings of a server without data. */
  newSettings(): Promise<Record<string, string>>;
  /** Description for the heading of the figures; empty for SQLite and local files. */
  name: string;
  stop(): Promise<void>;
}

interface EngineOptions {
  postgres: boolean;
  s3: string;
  write: boolean;
}

export async function startEngines({ postgres, s3, write }: EngineOptions): Promise<Engines> {
  if (!postgres) {
    if (s3) fail('--s3 requires --postgres.');
    return { newSettings: async () => ({}), name: '', stop: async () => {} };
  }
  if (write)
    fail('The tables in docs/performance.md are of SQLite and local files: --write excludes --postgres.');
  const other = s3 ? otherS3(s3) : {};
  const peers: Peers = await startPeers({ durable: true });
  const name = `PostgreSQL and ${s3 ? 'S3' : 'a stand-in of S3'}.`;
  record('engines', { engines: name });
  return {
    newSettings: async () => ({ ...(await clusterSettings(peers)), ...other }),
    name,
    stop: () => peers.stop(),
  };
}

function otherS3(url: string): Record<string, string> {
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret } = process.env;
  if (!id || !secret) fail('--s3 requires the variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.');
  return { POSTHOUSE_S3_URL: url, AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret };
}
