import { z } from '@hono/zod-openapi';
import { equalInConstantTime } from '../crypto/vault.ts';
import type { Metrics } from '../metrics.ts';
import type { App, Ctx } from './context.ts';
import { endpoint } from './endpoint.ts';
import { Problem } from './problem.ts';

/** Throws when the part does not work. */
export type Probe = () => Promise<void>;

interface HealthParts {
  /** By name: database, blobs, outbox … */
  probes: Record<string, Probe>;
  metrics: Metrics;
  metricsToken: string | null;
  /** May this visitor read metrics because of who they are? */
  isAdmin(c: Ctx): Promise<boolean>;
}

const PROBE_LIMIT_MS = 5_000;

/** Serves `/healthz` (the process is up), `/readyz` (every part works) and `/metrics`. */
export function mountHealth(app: App, { probes, metrics, metricsToken, isAdmin }: HealthParts): void {
  endpoint(
    app,
    'get',
    '/healthz',
    {
      summary: 'Is the process up?',
      tags: ['operation'],
      answers: { 200: { description: 'It is.', schema: z.object({ status: z.literal('ok') }) } },
    },
    (c) => c.json({ status: 'ok' }),
  );

  endpoint(
    app,
    'get',
    '/readyz',
    {
      summary: 'Does every part work?',
      tags: ['operation'],
      answers: {
        200: {
          description: 'All of them.',
          schema: z.object({ status: z.literal('ready'), parts: z.record(z.string(), z.literal('ok')) }),
        },
      },
      problems: ['not_ready'],
    },
    async (c) => {
      const names = Object.keys(probes);
      const results = await Promise.all(names.map((name) => works(probes[name])));
      const failing = names.filter((_, index) => !results[index]);
      if (failing.length > 0) {
        throw new Problem('not_ready', `Not working: ${failing.join(', ')}.`, {
          errors: failing.map((name) => ({ path: name, message: 'does not work' })),
        });
      }
      return c.json({ status: 'ready', parts: Object.fromEntries(names.map((name) => [name, 'ok'])) });
    },
  );

  endpoint(
    app,
    'get',
    '/metrics',
    {
      summary: 'Metrics in Prometheus text format',
      tags: ['operation'],
      security: ['bearer', 'session'],
      answers: {
        200: {
          description: 'To loopback without forwarding headers, to administrators, or with the metrics token.',
          schema: z.string(),
          mediaType: 'text/plain',
        },
      },
      problems: ['metrics_forbidden'],
    },
    async (c) => {
      if (!isLocal(c) && !hasToken(c, metricsToken) && !(await isAdmin(c))) {
        throw new Problem('metrics_forbidden', 'Metrics go to loopback, to administrators and to bearers of POSTHOUSE_METRICS_TOKEN.');
      }
      const { contentType, text } = await metrics.render();
      return new Response(text, { headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store' } });
    },
  );
}

async function works(probe: Probe | undefined): Promise<boolean> {
  let timer: Timer | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), PROBE_LIMIT_MS);
  });
  const done = (probe?.() ?? Promise.resolve()).then(
    () => true,
    () => false,
  );
  const result = await Promise.race([done, late]);
  clearTimeout(timer);
  return result;
}

const FORWARDING_HEADERS = ['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Real-IP', 'Via'];

function isLocal(c: Ctx): boolean {
  const peer = c.env.peer?.replace(/^::ffff:/, '') ?? '';
  return (peer === '::1' || peer.startsWith('127.')) && FORWARDING_HEADERS.every((name) => c.req.header(name) === undefined);
}

function hasToken(c: Ctx, token: string | null): boolean {
  const given = /^Bearer\s+(.+)$/i.exec(c.req.header('Authorization') ?? '')?.[1];
  return token !== null && given !== undefined && equalInConstantTime(given, token);
}
