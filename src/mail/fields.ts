import { z } from '@hono/zod-openapi';

/** A string or an array of strings (`To`, `Recipients`). */
export function oneOrMore(most: number) {
  return z
    .union([z.string(), z.array(z.string())], { error: 'must be a string or an array of strings' })
    .transform((value) => (typeof value === 'string' ? [value] : value))
    .refine((list) => list.length > 0, 'must not be empty')
    .refine((list) => list.length <= most, `must have ${most} entries at most`);
}

/** One of `names`, without regard to case. */
export function oneOf<Name extends string>(names: readonly Name[]) {
  return z
    .string()
    .transform((value, context): Name => {
      const found = names.find((name) => name.toLowerCase() === value.toLowerCase());
      if (found !== undefined) return found;
      context.addIssue({ code: 'custom', message: `must be one of ${names.join(', ')}` });
      return z.NEVER;
    })
    .openapi({ type: 'string', enum: [...names] });
}

const DEEPEST = 50;

/** Any JSON object of the caller, kept unchanged; its depth is bounded, since others process it recursively. */
export const jsonObject = z
  .record(z.string(), z.unknown())
  .refine((value) => isShallow(value), `must not be nested deeper than ${DEEPEST}`);

function isShallow(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= DEEPEST; depth++) {
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item === 'object' && item !== null)
        for (const inner of Object.values(item)) next.push(inner);
    }
    if (next.length === 0) return true;
    level = next;
  }
  return false;
}
