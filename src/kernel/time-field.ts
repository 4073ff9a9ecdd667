import { z } from '@hono/zod-openapi';

/** A point in time with its offset from UTC. */
export const timeField = z.iso.datetime({
  offset: true,
  error: 'must be an ISO 8601 time with its offset, such as 2026-01-31T12:00:00Z',
});
