import { z } from '@hono/zod-openapi';
import { equalInConstantTime } from '../kernel/crypto/digest.ts';
import type { Auth } from '../kernel/http/auth.ts';
import type { App, Ctx } from '../kernel/http/context.ts';
import { endpoint } from '../kernel/http/endpoint.ts';
import { canonicalAddress, isInRanges, parseAddress, parseRanges } from '../kernel/ip.ts';
import type { Attempts } from '../kernel/limits/attempts.ts';
import { METRICS_TYPE, type Metrics } from '../kernel/metrics/metrics.ts';
import { Problem } from '../kernel/problem.ts';

interface MetricsDeps {
  metrics: Metrics;
  /** Returns the metrics of all processes of this server in the Prometheus text format. */
  render(): Promise<string>;
  /** `POSTHOUSE_METRICS_TOKEN`; null = none. */
  token: string | null;
  /** Values of `Host` that local requests may have in addition to loopback names: host names, or host and port. */
  hosts: readonly string[];
  isAdmin(c: Ctx): Promise<boolean>;
  attempts: Pick<Attempts, 'failFrom'>;
  version: string;
}

const LOOPBACK = parseRanges(['127.0.0.0/8', '::1']);
const FORWARDING_FIELDS = [
  'Forwarded',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'X-Real-IP',
  'Via',
];

/** Serves `/metrics`. */
export function mountMetrics(app: App, deps: MetricsDeps): void {
  deps.metrics
    .gauge('posthouse_build_info', 'Always 1; the labels have the versions', ['version', 'bun'])
    .set({ version: deps.version, bun: Bun.version }, 1);
  endpoint(app, {
    method: 'get',
    path: '/metrics',
    operation: 'getMetrics',
    summary: 'Get metrics in the Prometheus text format',
    description:
      'For administrators, the bearer of `POSTHOUSE_METRICS_TOKEN`, and requests from the machine itself.',
    tags: ['operation'],
    auth: metricsAuth(deps),
    responses: { 200: { description: 'The metrics.', schema: z.string(), mediaType: 'text/plain' } },
    async handler() {
      const headers = { 'Content-Type': METRICS_TYPE, 'Cache-Control': 'no-store' };
      return new Response(await deps.render(), { headers });
    },
  });
}

/** Admits loopback, administrators and the metrics token; counts other tokens. */
function metricsAuth({ token, hosts, isAdmin, attempts }: MetricsDeps): Auth<null> {
  return {
    name: 'metrics',
    security: ['bearer', 'session'],
    optional: true,
    problems: () => ['metrics_forbidden', 'too_many_attempts'],
    async authenticate(c) {
      const sent = bearerOf(c);
      const hasToken = token !== null && sent !== undefined && equalInConstantTime(sent, token);
      if (isLocal(c, hosts) || hasToken || (await isAdmin(c))) return null;
      if (token !== null && sent !== undefined) await attempts.failFrom(c.env.address);
      throw new Problem(
        'metrics_forbidden',
        'Request metrics from the machine itself, as an administrator, or with POSTHOUSE_METRICS_TOKEN.',
      );
    },
    idOf: () => null,
  };
}

/**
 * Reports whether a request comes from this machine, neither through a proxy nor by DNS rebinding (a foreign
 * `Host`).
 */
function isLocal(c: Ctx, hosts: readonly string[]): boolean {
  if (FORWARDING_FIELDS.some((name) => c.req.header(name) !== undefined)) return false;
  const { hostname, host } = new URL(c.req.url);
  const isOwnHost =
    hostname === 'localhost' || isLoopback(hostname) || hosts.includes(hostname) || hosts.includes(host);
  return isOwnHost && isLoopback(c.env.peer ?? '');
}

/** @param text an address; IPv6 also in brackets */
function isLoopback(text: string): boolean {
  const address = parseAddress(canonicalAddress(text.replace(/^\[(.*)\]$/, '$1')) ?? '');
  return address !== null && isInRanges(address, LOOPBACK);
}

/** Returns the bearer token, which may contain spaces, as the setting may. */
function bearerOf(c: Ctx): string | undefined {
  return /^Bearer +(.+)$/i.exec(c.req.header('Authorization') ?? '')?.[1];
}
