import { z } from '@hono/zod-openapi';
import { getCookie } from 'hono/cookie';
import { utf8Text } from '../../kernel/bytes.ts';
import type { Ctx } from '../../kernel/http/context.ts';
import type { PresentedSecrets } from '../delivery/gate.ts';

/** Query parameters with the secrets of a file. */
export const secretParams = z.object({
  accessKey: z.string().optional().openapi({ description: 'Can also be sent in the header X-Access-Key' }),
  filePassword: z
    .string()
    .optional()
    .openapi({ description: 'Can also be sent in the header X-File-Password' }),
});

/** Query of requests with the token of a link. */
export const linkSecretParams = secretParams.pick({ filePassword: true });

/** The cookie in which the page of a file keeps its pass. */
export const PASS_COOKIE = 'posthouse-pass';

/** Returns the secrets of a request. Header fields take precedence over the query, whose values end up in logs. */
export function secretsOf(c: Ctx, query: z.output<typeof secretParams>): PresentedSecrets {
  return {
    // Read on demand: most files require no secret.
    get address() {
      return c.env.address;
    },
    accessKey: c.req.header('X-Access-Key') || (query.accessKey ?? null),
    filePassword: textOf(c.req.header('X-File-Password')) || (query.filePassword ?? null),
    pass: getCookie(c, PASS_COOKIE) ?? null,
  };
}

/**
 * Returns the text of a header field, whose bytes `Headers` presents as ISO-8859-1: bytes that are valid UTF-8 are read
 * as UTF-8, as most programs other than browsers send it.
 */
function textOf(field: string | undefined): string | undefined {
  if (field === undefined || !/[\x80-\xff]/.test(field)) return field;
  try {
    return utf8Text(Buffer.from(field, 'latin1'));
  } catch {
    return field;
  }
}
