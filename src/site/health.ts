import { z } from '@hono/zod-openapi';
import { SECOND } from '../kernel/clock.ts';
import { Unavailable } from '../kernel/errors/unavailable.ts';
import { inTime } from '../kernel/event-loop/in-time.ts';
import { anyone } from '../kernel/http/auth.ts';
import type { App } from '../kernel/http/context.ts';
import { endpoint } from '../kernel/http/endpoint.ts';
import { inThisContext } from '../kernel/limits/callers.ts';
import type { Log } from '../kernel/log.ts';
import { Problem } from '../kernel/problem.ts';
import type { Probe } from '../kernel/service.ts';

/** Probes by name of the dependency: database, outbox, blobs. */
type Probes = Readonly<Record<string, Probe>>;

interface Failing {
  name: string;
  error: unknown;
}

const PROBE_LIMIT_MS = 5 * SECOND;
/** Time for which the result of a probe is reused: probes write to the disk, and anyone may call `/readyz`. */
const RESULT_KEPT_MS = 2 * SECOND;

const tags = ['operation'];

/**
 * Serves `/healthz` (the process runs) and `/readyz` (its dependencies work). The start and the end of a
 * failure are logged, but not each request meanwhile: load balancers send one every few seconds.
 * @returns a function that checks all dependencies, and logs failures
 */
export function mountHealth(
  app: App,
  { probes, log, resultKeptMs = RESULT_KEPT_MS }: { probes: Probes; log: Log; resultKeptMs?: number },
): () => Promise<void> {
  const checks = Object.entries(probes).map(([name, probe]) => ({
    name,
    probe: withKeptResult(probe, resultKeptMs),
  }));
  const known = new Set<string>();

  function logChange(name: string, error: unknown): void {
    if (error === null && known.delete(name)) log.info({ dependency: name }, 'a dependency recovered');
    if (error === null || known.has(name)) return;
    known.add(name);
    // An engine that is down is not a bug, so no stack is logged.
    const reason = error instanceof Unavailable ? { reason: error.message } : { error };
    log.error({ dependency: name, ...reason }, 'a dependency failed');
  }

  /** Returns the errors of the dependencies that do not work. */
  async function findFailing(): Promise<Failing[]> {
    const errors = await Promise.all(checks.map(({ probe }) => errorOf(probe)));
    const all = checks.map(({ name }, index) => ({ name, error: errors[index] }));
    for (const { name, error } of all) logChange(name, error);
    return all.filter(({ error }) => error !== null);
  }

  endpoint(app, {
    method: 'get',
    path: '/healthz',
    operation: 'getHealth',
    summary: 'Report that the process runs',
    tags,
    auth: anyone,
    responses: { 200: { description: 'The process runs.', schema: z.object({ status: z.literal('ok') }) } },
    handler: () => ({ status: 'ok' as const }),
  });

  endpoint(app, {
    method: 'get',
    path: '/readyz',
    operation: 'getReadiness',
    summary: 'Report whether all dependencies work',
    tags,
    auth: anyone,
    responses: {
      200: {
        description: 'All dependencies work.',
        schema: z.object({ status: z.literal('ready'), parts: z.record(z.string(), z.literal('ok')) }),
      },
    },
    problems: ['not_ready'],
    async handler({ c }) {
      const failing = await findFailing();
      if (failing.length > 0) {
        c.env.isFailureLogged = true;
        throw notReady(failing);
      }
      return {
        status: 'ready' as const,
        parts: Object.fromEntries(checks.map(({ name }) => [name, 'ok' as const])),
      };
    },
  });
  return async () => void (await findFailing());
}

function notReady(failing: readonly Failing[]): Problem {
  return new Problem('not_ready', `Not working: ${failing.map(({ name }) => name).join(', ')}.`, {
    fields: failing.map(({ name: path, error }) => ({ path, message: messageFor(error) })),
  });
}

/** Returns a text that anyone may read: it contains the name of a setting, but no value. */
function messageFor(error: unknown): string {
  const setting = error instanceof Unavailable ? error.setting : undefined;
  return setting ? `does not work: check ${setting}` : 'does not work';
}

/** Returns null when a probe succeeds within the limit, otherwise its error. */
async function errorOf(probe: Probe): Promise<unknown> {
  const late = () => new Error(`no response within ${PROBE_LIMIT_MS} ms`);
  return await inTime(probe(), PROBE_LIMIT_MS, late).then(
    () => null,
    (error: unknown) => error,
  );
}

/** Returns `probe` with one result for all calls while it runs and for `keptMs` afterwards. */
function withKeptResult(probe: Probe, keptMs: number): Probe {
  const start = inThisContext(probe);
  let latest: Promise<void> | undefined;
  let keptUntil = 0;
  return () => {
    if (latest && performance.now() < keptUntil) return latest;
    keptUntil = Number.POSITIVE_INFINITY;
    latest = start().finally(() => {
      keptUntil = performance.now() + keptMs;
    });
    return latest;
  };
}
