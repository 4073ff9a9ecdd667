import { createAddressLimit } from '../../../kernel/limits/address-limit.ts';
import { secretsOf } from '../secrets.ts';
import type { Admit, LinkRoutesDeps } from './deps.ts';
import { LINK_PROBLEMS } from './public.ts';

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

export function createLinkAdmission({
  clock,
  processes,
  linkAccess,
}: Pick<LinkRoutesDeps, 'clock' | 'processes' | 'linkAccess'>): Admit {
  const limit = createAddressLimit({ ...REQUESTS, clock, processes });
  return async (c, token, query) => {
    limit(c.env.address);
    const { link } = await linkAccess.open(token, secretsOf(c, query));
    return link;
  };
}
