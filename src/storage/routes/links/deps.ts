import type { z } from '@hono/zod-openapi';
import type { Clock } from '../../../kernel/clock.ts';
import type { Ctx } from '../../../kernel/http/context.ts';
import type { StoredLink } from '../../links/link.ts';
import type { LinkModules } from '../../links/modules.ts';
import type { RoutesDeps } from '../deps.ts';
import type { linkSecretParams } from '../secrets.ts';

/**
 * Returns the link through which a visitor sends files. Call it in every request that starts an upload.
 * @throws Problem 429 `rate_limited`, those of `LinkAccess.open`
 */
export type Admit = (c: Ctx, token: string, query: z.output<typeof linkSecretParams>) => Promise<StoredLink>;

/** Dependencies of the endpoints of links, for members and for visitors; each uses some of them. */
export interface LinkRoutesDeps extends LinkModules, Omit<RoutesDeps, 'files' | 'folders'> {
  clock: Clock;
  /** Number of processes of this server. */
  processes: number;
  /** Public URL of this server, without a slash at the end. */
  publicUrl: string;
  /** Default quota of a workspace. */
  workspaceBytes: number;
  admit: Admit;
}
