import type { z } from '@hono/zod-openapi';
import type { Clock } from '../../../kernel/clock.ts';
import type { Ctx } from '../../../kernel/http/context.ts';
import { createAddressLimit } from '../../../kernel/limits/address-limit.ts';
import type { LinkAccess } from '../../links/access.ts';
import type { LinkUploads, UploadPlace } from '../../links/uploads.ts';
import { secretParams, secretsOf } from '../secrets.ts';
import { LINK_PROBLEMS } from './public.ts';

interface AdmissionDeps {
  clock: Clock;
  processes: number;
  linkAccess: LinkAccess;
  linkUploads: LinkUploads;
}

export const sendingQuery = secretParams.pick({ filePassword: true });

/**
 * Returns the folder for the files of a visitor. Every request that begins to send files must call it.
 * @throws Problem 429 `rate_limited`, 404, 410; those of `LinkAccess.open`
 */
export type Admit = (c: Ctx, token: string, query: z.output<typeof sendingQuery>) => Promise<UploadPlace>;

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

export function createLinkAdmission({ clock, processes, linkAccess, linkUploads }: AdmissionDeps): Admit {
  const limit = createAddressLimit({ ...REQUESTS, clock, processes });
  return async (c, token, query) => {
    limit(c.env.address);
    const { link } = await linkAccess.open(token, secretsOf(c, query));
    return await linkUploads.place(link);
  };
}
