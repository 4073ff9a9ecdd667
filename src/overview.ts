import { z } from '@hono/zod-openapi';
import type { Config } from './config/config.ts';
import type { Part } from './doctor/part.ts';
import { type Clock, isoTime, SECOND } from './kernel/clock.ts';
import type { App, Ctx } from './kernel/http/context.ts';
import { endpoint } from './kernel/http/endpoint.ts';

interface OverviewParts {
  config: Config;
  version: string;
  publicUrl: string;
  clock: Clock;
  /** Tries every part of the house. */
  examine(): Promise<Part[]>;
  /** @throws Problem unless the visitor is an administrator */
  requireAdmin(c: Ctx): Promise<unknown>;
}

/** Every part is asked over the network, so that not every look at the page asks anew. */
const KEPT_MS = 30 * SECOND;

const part = z.object({ name: z.string(), ok: z.boolean(), detail: z.string() });
const schema = z
  .object({
    version: z.string(),
    publicUrl: z.string(),
    services: z.array(z.string()),
    database: z.enum(['sqlite', 'postgres']),
    blobs: z.enum(['local', 's3']),
    dateExamined: z.iso.datetime(),
    parts: z.array(part),
  })
  .openapi('Overview');

/** `GET /api/admin/overview`: what the server is made of, and how every part is. */
export function mountOverview(app: App, { config, version, publicUrl, clock, examine, requireAdmin }: OverviewParts): void {
  let last: { at: number; parts: Promise<Part[]> } | null = null;
  const partsNow = () => {
    if (last === null || last.at < clock.now() - KEPT_MS) last = { at: clock.now(), parts: examine() };
    return last;
  };

  endpoint(
    app,
    'get',
    '/api/admin/overview',
    {
      summary: 'What the server is made of, and how every part is',
      tags: ['operation'],
      security: ['session'],
      answers: { 200: { description: 'As `posthouse doctor` finds it, at most half a minute ago.', schema } },
      problems: ['login_required', 'admin_required'],
    },
    async (c) => {
      await requireAdmin(c);
      const { at, parts } = partsNow();
      return c.json({
        version,
        publicUrl,
        services: [...config.services],
        database: config.database.kind,
        blobs: config.blobs.kind,
        dateExamined: isoTime(at),
        parts: await parts,
      });
    },
  );
}
