import { sql } from 'kysely';
import type { Transaction } from '../../kernel/database/database.ts';

type Sum = 'used_bytes' | 'trash_bytes' | 'version_bytes' | 'erased_bytes';

/** Adds bytes, which may be negative, to sums of a workspace. Requires the lock of the workspace. */
export async function addBytes(
  trx: Transaction,
  workspaceId: string,
  added: Partial<Record<Sum, number>>,
): Promise<void> {
  const changes = Object.entries(added).map(
    ([sum, bytes]) => sql`${sql.ref(sum)} = ${sql.ref(sum)} + ${bytes}`,
  );
  await sql`update workspaces set ${sql.join(changes)} where id = ${workspaceId}`.execute(trx);
}
