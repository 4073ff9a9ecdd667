import { z } from '@hono/zod-openapi';
import type { Config } from '../config/config.ts';
import type { CheckResult } from '../doctor/check.ts';
import { resultsIn } from '../doctor/german.ts';
import type { Guard } from '../identity/guard.ts';
import { type Clock, isoTime, SECOND } from '../kernel/clock.ts';
import type { App } from '../kernel/http/context.ts';
import { endpoint } from '../kernel/http/endpoint.ts';
import { languageOf } from '../kernel/http/language.ts';
import { steadyClock } from '../kernel/limits/steady-clock.ts';

interface OverviewDeps {
  config: Config;
  version: string;
  publicUrl: string;
  clock: Clock;
  guard: Guard;
  /** Checks every dependency, as `posthouse doctor` does. */
  runChecks(): Promise<CheckResult[]>;
  /** Returns the numbers of pictures that are still to be rendered, and of links to folders and to chosen files. */
  storageCounts(): Promise<{ picturesPending: number; links: number }>;
}

/** The results are reused for this long, since the checks send network requests. */
const REUSE_MS = 30 * SECOND;

const overviewSchema = z
  .object({
    version: z.string(),
    publicUrl: z.string(),
    services: z.array(z.string()),
    database: z.enum(['sqlite', 'postgres']),
    blobs: z.enum(['local', 's3']),
    picturesPending: z.int().openapi({ description: 'Pictures without a thumbnail or preview yet' }),
    links: z.int().openapi({ description: 'Links to folders and to chosen files, of all workspaces' }),
    dateExamined: z.iso.datetime(),
    parts: z.array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string() })),
  })
  .openapi('Overview');

/** `GET /api/admin/overview`: configuration and state of the server. */
export function mountOverview(app: App, deps: OverviewDeps): void {
  const { config, version, publicUrl, clock, guard, runChecks, storageCounts } = deps;
  const steady = steadyClock(clock);
  let last: { until: number; dateExamined: string; results: Promise<CheckResult[]> } | null = null;
  const recentChecks = () => {
    const now = steady.now();
    if (last === null || last.until < now)
      last = { until: now + REUSE_MS, dateExamined: isoTime(clock.now()), results: runChecks() };
    return last;
  };

  endpoint(app, {
    method: 'get',
    path: '/api/admin/overview',
    operation: 'getOverview',
    summary: 'Get the configuration and state of the server',
    tags: ['operation'],
    auth: guard.admin,
    responses: {
      200: {
        description: 'Services, stores, and the results of `posthouse doctor`, at most 30 seconds old.',
        schema: overviewSchema,
      },
    },
    async handler({ c }) {
      const { dateExamined, results } = recentChecks();
      return {
        version,
        publicUrl,
        services: [...config.services],
        database: config.database.kind,
        blobs: config.blobs.kind,
        ...(await storageCounts()),
        dateExamined,
        parts: resultsIn(await results, languageOf(c)),
      };
    },
  });
}
