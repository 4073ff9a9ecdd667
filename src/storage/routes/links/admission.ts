import type { z } from '@hono/zod-openapi';
import type { Clock } from '../../../kernel/clock.ts';
import type { Ctx } from '../../../kernel/http/context.ts';
import { createAddressLimit } from '../../../kernel/limits/address-limit.ts';
import type { LinkAccess } from '../../links/access.ts';
import type { StoredLink } from '../../links/link.ts';
import { type linkSecretParams, secretsOf } from '../secrets.ts';
import { LINK_PROBLEMS } from './public.ts';

interface AdmissionDeps {
  clock: Clock;
  processes: number;
  linkAccess: LinkAccess;
}

/**
 * Returns the link through which a visitor sends files. Call it in every request that starts an upload.
 * @throws Problem 429 `rate_limited`, those of `LinkAccess.open`
 */
export type Admit = (c: Ctx, token: string, query: z.output<typeof linkSecretParams>) => Promise<StoredLink>;

/** Codes of `Admit`, and of the files of visitors. */
export const SENDING_PROBLEMS = [
  ...LINK_PROBLEMS,
  'upload_limit_reached',
  'file_too_large',
  'quota_exceeded',
  'storage_full',
  'rate_limited',
] as const;

const REQUESTS = { burst: 60, perMinute: 60 };

export function createLinkAdmission({ clock, processes, linkAccess }: AdmissionDeps): Admit {
  const limit = createAddressLimit({ ...REQUESTS, clock, processes });
  return async (c, token, query) => {
    limit(c.env.address);
    const { link } = await linkAccess.open(token, secretsOf(c, query));
    return link;
  };
}
