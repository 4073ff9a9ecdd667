import { accessSync, constants, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { readPostgresUrl } from '../kernel/database/postgres/url.ts';
import { integer, parseUrl, type Report, reportUnknownParameters, splitList } from './parse.ts';

/* The formats of single settings. Each function is a `Parser`. */

export const SERVICES = ['identity', 'storage', 'chat', 'mail'] as const;
export type ServiceName = (typeof SERVICES)[number];

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The accounts that may create shared workspaces. */
export const WORKSPACE_CREATORS = ['admins', 'everyone'] as const;

/** Minimum number of characters of `POSTHOUSE_SECRET`, and of each of several keys in it. */
export const SECRET_LENGTH = 32;

export function host(text: string, report: Report): string | null {
  const isHost = isIP(text) !== 0 || /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(text);
  return isHost ? text : report(`must be an IP address or a host name, not “${text}”.`);
}

function origin(text: string, report: Report): string | null {
  const url = parseUrl(text, ['http:', 'https:'], report);
  if (url && (url.pathname !== '/' || url.search || url.hash || url.username || url.password))
    report('must be an origin alone (https://files.example.org), without path, query or user.');
  return url?.origin ?? null;
}

/** Origins, comma separated: all http, or all https, since cookies are secure or not for all of them. */
export function origins(text: string, report: Report): [string, ...string[]] | null {
  const [first, ...others] = splitList(text).map((item) => origin(item, report));
  if (!first || others.includes(null)) return null;
  const all: [string, ...string[]] = [first, ...others.filter((item) => item !== null)];
  const { protocol } = new URL(first);
  if (!all.every((item) => item.startsWith(protocol)))
    report('must have only https addresses, or only http addresses.');
  return all;
}

const MAX_PROCESSES = 256;

/** A number of processes, or `auto` = one for each core. Only Linux distributes connections among them. */
export function processes(text: string, report: Report): number | null {
  const count = text === 'auto' ? availableParallelism() : integer(1, MAX_PROCESSES)(text, report);
  if (process.platform === 'linux' || count === null || count === 1) return count;
  return text === 'auto' ? 1 : report('must be 1 on this system: several processes need Linux.');
}

export function services(text: string, report: Report): ReadonlySet<ServiceName> | null {
  const names = splitList(text);
  for (const name of names) {
    if (!SERVICES.some((service) => service === name))
      report(`names “${name}”, which is not one of ${SERVICES.join(', ')}.`);
  }
  return names.length === 0 ? null : new Set(SERVICES.filter((service) => names.includes(service)));
}

/** Returns the address unchanged, and its host, which may be logged. */
export function databaseUrl(text: string, report: Report): { url: string; host: string } | null {
  const url = parseUrl(text, ['postgres:', 'postgresql:'], report);
  if (!url) return null;
  try {
    readPostgresUrl(text);
  } catch (error) {
    return report((error as Error).message);
  }
  return { url: text, host: url.hostname };
}

export interface S3Bucket {
  bucket: string;
  /** Endpoint of the server; null = AWS. */
  endpoint: string | null;
  /** The endpoint that clients reach; null = the same. */
  publicEndpoint: string | null;
  region: string | null;
}

export function s3Url(text: string, report: Report): S3Bucket | null {
  const url = parseUrl(text, ['s3:'], report);
  if (!url) return null;
  reportUnknownParameters(url, ['endpoint', 'public', 'region'], report);
  if (url.pathname !== '' && url.pathname !== '/')
    report('must be s3://bucket?endpoint=…&region=…, without a path.');
  const endpoint = url.searchParams.get('endpoint');
  const publicEndpoint = url.searchParams.get('public');
  for (const given of [endpoint, publicEndpoint])
    if (given !== null && !/^https?:$/.test(URL.parse(given)?.protocol ?? ''))
      report('must have endpoints that begin with http:// or https://.');
  return { bucket: url.host, endpoint, publicEndpoint, region: url.searchParams.get('region') };
}

/**
 * Returns the address unchanged: an issuer is compared character by character (OpenID Connect Discovery 1.0
 * §4.3).
 */
export function issuerUrl(text: string, report: Report): string | null {
  return parseUrl(text, ['http:', 'https:'], report) && text;
}

/** Returns scopes separated by single spaces (RFC 6749 §3.3), including `openid`. */
export function scopes(text: string, report: Report): string | null {
  const names = text.split(/\s+/).filter(Boolean);
  if (!names.every((name) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(name)))
    return report('must be scopes separated by spaces.');
  return names.includes('openid') ? names.join(' ') : report('must contain openid.');
}

/** Returns the address without a slash at its end. */
export function apiUrl(text: string, report: Report): string | null {
  return parseUrl(text, ['http:', 'https:'], report)?.href.replace(/\/+$/, '') ?? null;
}

/** `tls`: from the first byte; `starttls`: required; `opportunistic`: STARTTLS when offered; `none`: never. */
export type SmtpSecurity = 'tls' | 'starttls' | 'opportunistic' | 'none';

export interface SmtpServer {
  host: string;
  port: number;
  security: SmtpSecurity;
  credentials: { user: string; password: string } | null;
}

export function smtpUrl(text: string, report: Report): SmtpServer | null {
  const url = parseUrl(text, ['smtp:', 'smtps:'], report);
  if (!url) return null;
  reportUnknownParameters(url, ['tls'], report);
  const implicit = url.protocol === 'smtps:';
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port ? Number(url.port) : implicit ? 465 : 587,
    security: smtpSecurity(url, implicit, report),
    credentials: smtpCredentials(url, report),
  };
}

function smtpSecurity(url: URL, implicit: boolean, report: Report): SmtpSecurity {
  const tls = url.searchParams.get('tls');
  if (tls !== null && tls !== 'required' && tls !== 'none')
    report('must have tls=required, tls=none or no tls.');
  if (implicit) {
    if (tls === 'none') report('has smtps and tls=none, which contradict each other.');
    return 'tls';
  }
  return tls === 'required' ? 'starttls' : tls === 'none' ? 'none' : 'opportunistic';
}

function smtpCredentials({ username, password }: URL, report: Report): SmtpServer['credentials'] {
  if (!username && !password) return null;
  if (!username || !password) report('has a user without a password, or a password without a user.');
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return report('must have its user and password percent-encoded.');
  }
}

/** RFC 5321 §4.1.3: a domain, or an address literal in brackets. */
export function smtpName(text: string, report: Report): string | null {
  if (/^(?:[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*|\[(?:IPv6:)?[0-9a-f.:]{1,45}\])$/i.test(text)) return text;
  return report('must be a domain name, or an address in brackets.');
}

export function mailbox(text: string, report: Report): string | null {
  if (!/[\r\n]/.test(text) && /^(?:[^<>]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(text)) return text;
  return report('must be an address, alone or as “Name <name@example.org>”.');
}

/** Returns the address in lower case. */
export function emailAddress(text: string, report: Report): string | null {
  const email = text.toLowerCase();
  return /^[^\s@]+@[^\s@]+$/.test(email) ? email : report(`must be one e-mail address, not “${email}”.`);
}

/** PEM text, in which `\n` may replace a line break, or the path of a PEM file. @returns PEM text */
export function privateKey(text: string, report: Report): string | null {
  if (text.includes('PRIVATE KEY')) return text.replaceAll('\\n', '\n');
  try {
    const pem = readFileSync(text, 'utf8');
    if (pem.includes('PRIVATE KEY')) return pem;
  } catch {
    // An unreadable file is reported below.
  }
  return report('must be a PEM private key or the path of a file that holds one.');
}

export function readableFile(text: string, report: Report): string | null {
  try {
    accessSync(text, constants.R_OK);
    return resolve(text);
  } catch {
    return report('names a file that cannot be read.');
  }
}
