import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

/** The parameters of a connection for pg. */
export interface PostgresConnection {
  /** Without the parameters of TLS. */
  connectionString: string;
  ssl: ConnectionOptions | false;
  sslnegotiation: 'postgres' | 'direct';
  /** The connection is made without TLS when the server offers none. */
  mayBePlain: boolean;
}

const MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
type Mode = (typeof MODES)[number];
const NEGOTIATIONS = ['postgres', 'direct'] as const;
const PARAMETERS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation'] as const;
type Given = (name: (typeof PARAMETERS)[number]) => string | null;

/**
 * Reads the parameters of TLS like libpq (https://www.postgresql.org/docs/current/libpq-ssl.html), with two
 * differences: without `sslmode` there is no TLS, and `verify-full` without `sslrootcert` trusts the public
 * authorities. pg itself reads them differently (all modes but `disable` verify everything).
 * @throws Error with a predicate (“must …”) that quotes no secret
 */
export function readPostgresUrl(text: string): PostgresConnection {
  const url = new URL(text);
  const given: Given = (name) => url.searchParams.get(name);
  requireKnown(url);
  const root = given('sslrootcert');
  const mode = oneOf(MODES, 'sslmode', given('sslmode') ?? (root === 'system' ? 'verify-full' : 'disable'));
  const negotiation = oneOf(NEGOTIATIONS, 'sslnegotiation', given('sslnegotiation') ?? 'postgres');
  if (mode === 'disable') requireOnlyMode(given);
  if (negotiation === 'direct' && mode === 'prefer')
    throw new Error('has sslnegotiation=direct, which needs sslmode=require or stricter.');
  const ssl = mode !== 'disable' && {
    ...trust(mode, root),
    ...clientCertificate(given('sslcert'), given('sslkey')),
  };
  for (const name of [...PARAMETERS, 'uselibpqcompat']) url.searchParams.delete(name);
  return { connectionString: url.href, ssl, sslnegotiation: negotiation, mayBePlain: mode === 'prefer' };
}

function requireKnown({ searchParams }: URL): void {
  for (const name of searchParams.keys())
    if (/^ssl/i.test(name) && !PARAMETERS.some((known) => known === name))
      throw new Error(
        `has the unknown parameter “${name}”; the parameters of TLS are ${PARAMETERS.join(', ')}.`,
      );
}

/** Without TLS, the other parameters have no effect. */
function requireOnlyMode(given: Given): void {
  for (const name of PARAMETERS)
    if (name !== 'sslmode' && given(name) !== null)
      throw new Error(`has ${name} without an sslmode that uses TLS.`);
}

function oneOf<Name extends string>(names: readonly Name[], parameter: string, value: string): Name {
  const known = names.find((name) => name === value);
  if (known === undefined) throw new Error(`must have an ${parameter} of ${names.join(', ')}.`);
  return known;
}

/** With a root certificate, `require` is `verify-ca`. */
function trust(mode: Mode, root: string | null): ConnectionOptions {
  if (root === 'system' && mode !== 'verify-full')
    throw new Error('has sslrootcert=system, which needs sslmode=verify-full.');
  if (root === null && mode === 'verify-ca')
    throw new Error('has sslmode=verify-ca without sslrootcert, the authority to trust.');
  const authority = root === null || root === 'system' ? {} : { ca: readCertificate('sslrootcert', root) };
  if (mode === 'verify-full') return { ...authority, rejectUnauthorized: true };
  if (mode === 'prefer' || root === null) return { rejectUnauthorized: false };
  return { ...authority, rejectUnauthorized: true, checkServerIdentity: () => undefined };
}

function clientCertificate(certificate: string | null, key: string | null): ConnectionOptions {
  if (certificate === null && key === null) return {};
  if (certificate === null || key === null) throw new Error('has only one of sslcert and sslkey.');
  return { cert: readCertificate('sslcert', certificate), key: readCertificate('sslkey', key) };
}

function readCertificate(parameter: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new Error(`has an ${parameter} that names a file that cannot be read.`);
  }
}
