import { z } from '@hono/zod-openapi';

const DEEPEST = 50;

/** A JSON object of the caller's own making, kept as it is; nested at most 50 deep, so that nobody's recursion ends in it. */
export const jsonObject = z
  .record(z.string(), z.unknown())
  .refine((value) => isShallow(value), `must not be nested deeper than ${DEEPEST}`);

function isShallow(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= DEEPEST; depth++) {
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item === 'object' && item !== null) for (const inner of Object.values(item)) next.push(inner);
    }
    if (next.length === 0) return true;
    level = next;
  }
  return false;
}
