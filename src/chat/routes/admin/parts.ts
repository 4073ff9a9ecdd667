import type { Guard } from '../../../identity/guard.ts';
import type { Database, Transaction } from '../../../kernel/database/database.ts';
import type { EndpointDoc } from '../../../kernel/http/endpoint.ts';
import type { Outbox } from '../../../kernel/outbox/outbox.ts';
import type { Directory } from '../../directory.ts';
import type { Pauses } from '../../pauses.ts';
import { CHAT } from '../../sender.ts';
import type { Targets } from '../../targets.ts';

export interface AdminParts {
  database: Database;
  directory: Directory;
  targets: Targets;
  pauses: Pauses;
  outbox: Outbox;
  guard: Guard;
}

/** Commits a change to clients, guilds or channels, and lets everyone know of it. */
export type Change = <Result>(work: (trx: Transaction) => Promise<Result>) => Promise<Result>;

export function createChange({ database, targets, outbox }: Pick<AdminParts, 'database' | 'targets' | 'outbox'>): Change {
  return async (work) => {
    const result = await database.transaction(work);
    targets.forget();
    // What was held back may go now.
    outbox.wake(CHAT);
    return result;
  };
}

/** What all endpoints of administrators have in common. */
export const ADMIN = { tags: ['chat administration'], security: ['session'] } satisfies Pick<EndpointDoc, 'tags' | 'security'>;
export const READS = ['login_required', 'admin_required'] as const;
export const WRITES = [...READS, 'cross_site_request', 'invalid_request', 'unsupported_media_type', 'body_too_large'] as const;
