import type { Ctx } from '../../kernel/http/context.ts';
import type { Downloader } from '../delivery/downloads.ts';

/** Returns the caller, whose downloads of a file or link are counted once per hour. */
export const downloaderOf = (c: Ctx): Downloader => ({
  address: c.env.address,
  userAgent: c.req.header('User-Agent') ?? '',
});
