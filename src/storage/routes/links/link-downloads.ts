import type { z } from '@hono/zod-openapi';
import type { Ctx } from '../../../kernel/http/context.ts';
import type { Downloads } from '../../delivery/downloads.ts';
import type { LinkAccess, LiveLink } from '../../links/access.ts';
import { secretParams, secretsOf } from '../secrets.ts';

/** Query of requests for bytes through a link. */
export const downloadQuery = secretParams.pick({ filePassword: true });

interface LinkDownloadsDeps {
  linkAccess: Pick<LinkAccess, 'open'>;
  downloads: Pick<Downloads, 'take'>;
}

/** Requests for bytes that a link opens. */
export interface LinkDownloads {
  /** @throws those of `LinkAccess.open` */
  open(c: Ctx, token: string, secrets: z.output<typeof downloadQuery>): ReturnType<LinkAccess['open']>;
  /** Returns a function that counts the visitor, once per hour for everything that the link opens. */
  counting(c: Ctx, link: LiveLink): () => ReturnType<Downloads['take']>;
}

export function createLinkDownloads({ linkAccess, downloads }: LinkDownloadsDeps): LinkDownloads {
  return {
    open: (c, token, secrets) => linkAccess.open(token, secretsOf(c, secrets)),
    counting: (c, link) => () =>
      downloads.take(link, { address: c.env.address, userAgent: c.req.header('User-Agent') ?? '' }),
  };
}
