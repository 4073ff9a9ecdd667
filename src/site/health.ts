import { z } from '@hono/zod-openapi';
import { SECOND } from '../kernel/clock.ts';
import { anyone } from '../kernel/http/auth.ts';
import type { App } from '../kernel/http/context.ts';
import { endpoint } from '../kernel/http/endpoint.ts';
import { Problem } from '../kernel/problem.ts';
import type { Probe } from '../kernel/service.ts';

/** Probes by name of the dependency: database, outbox, blobs. */
type Probes = Readonly<Record<string, Probe>>;

const PROBE_LIMIT_MS = 5 * SECOND;
/** Time for which the result of a probe holds: probes write to the disk, and anyone may call `/readyz`. */
const RESULT_KEPT_MS = 2 * SECOND;

const tags = ['operation'];

/** Serves `/healthz` (the process runs) and `/readyz` (its dependencies work). */
export function mountHealth(app: App, { probes }: { probes: Probes }): void {
  const checks = Object.entries(probes).map(([name, probe]) => ({ name, probe: withKeptResult(probe) }));

  endpoint(app, {
    method: 'get',
    path: '/healthz',
    operation: 'getHealth',
    summary: 'Report that the process runs',
    tags,
    auth: anyone,
    answers: { 200: { description: 'It runs.', schema: z.object({ status: z.literal('ok') }) } },
    handler: () => ({ status: 'ok' as const }),
  });

  endpoint(app, {
    method: 'get',
    path: '/readyz',
    operation: 'getReadiness',
    summary: 'Report whether all dependencies work',
    tags,
    auth: anyone,
    answers: {
      200: {
        description: 'All dependencies work.',
        schema: z.object({ status: z.literal('ready'), parts: z.record(z.string(), z.literal('ok')) }),
      },
    },
    problems: ['not_ready'],
    async handler() {
      const names = checks.map(({ name }) => name);
      const results = await Promise.all(checks.map(({ probe }) => works(probe)));
      const failing = names.filter((_, index) => !results[index]);
      if (failing.length > 0) throw notReady(failing);
      return {
        status: 'ready' as const,
        parts: Object.fromEntries(names.map((name) => [name, 'ok' as const])),
      };
    },
  });
}

function notReady(names: readonly string[]): Problem {
  return new Problem('not_ready', `Not working: ${names.join(', ')}.`, {
    fields: names.map((path) => ({ path, message: 'does not work' })),
  });
}

/** Reports whether a probe succeeds within the limit. */
async function works(probe: Probe): Promise<boolean> {
  const { promise: timeout, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), PROBE_LIMIT_MS);
  const result = probe().then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([result, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns `probe` with one result for all calls while it runs and for `RESULT_KEPT_MS` afterwards. */
function withKeptResult(probe: Probe): Probe {
  let latest: Promise<void> | undefined;
  let keptUntil = 0;
  return () => {
    if (latest && performance.now() < keptUntil) return latest;
    keptUntil = Number.POSITIVE_INFINITY;
    latest = probe().finally(() => {
      keptUntil = performance.now() + RESULT_KEPT_MS;
    });
    return latest;
  };
}
