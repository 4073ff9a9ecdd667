import type { z } from '@hono/zod-openapi';
import { readUrlEncoded, URL_ENCODED } from '../../kernel/http/bodies/form-body.ts';
import { checked } from '../../kernel/http/bodies/read-body.ts';
import type { RequestBody } from '../../kernel/http/bodies/request-body.ts';
import { namedFields } from '../../kernel/http/fields.ts';
import { type FieldError, Problem } from '../../kernel/problem.ts';

/** A form as it was sent, so that the page can show it again with its errors. */
export interface SentForm<Fields> {
  /** Null when a field is invalid. */
  fields: Fields | null;
  errors: readonly FieldError[];
  /** The text of every field; empty = missing. */
  texts: Readonly<Record<string, string>>;
}

/** The form of a page. Invalid fields do not throw; the handler responds with the page. */
export function pageForm<Schema extends z.ZodObject>(
  schema: Schema,
): RequestBody<SentForm<z.output<Schema>>> {
  const empty = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, '']));
  const read = namedFields(schema);
  return {
    content: { [URL_ENCODED]: schema },
    problems: ['invalid_request', 'body_too_large', 'unsupported_media_type'],
    read: async (c) => ({ value: await readUrlEncoded(c) }),
    parse(value, notes) {
      const texts = { ...empty, ...(read(value, '', notes) as Record<string, string>) };
      try {
        return { fields: checked(schema, texts), errors: [], texts };
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        return { fields: null, errors: error.fields ?? [], texts };
      }
    },
  };
}
