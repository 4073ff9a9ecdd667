import { openIdentityStores } from '../../foundation/identity-stores.ts';
import type { Account } from '../../identity/account.ts';
import type { IdentityStores } from '../../identity/stores.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import { CommandError, type ParsedCommand, withFoundation } from './cli.ts';

interface Identity extends IdentityStores {
  database: Database;
  clock: Clock;
}

/** Opens accounts, sessions and tokens for one command, and closes them afterwards. */
export function withIdentity<Result>(
  command: ParsedCommand,
  work: (identity: Identity) => Promise<Result>,
): Promise<Result> {
  return withFoundation(command, (foundation, config) => {
    const { database, clock } = foundation;
    return work({ ...openIdentityStores(foundation, config), database, clock });
  });
}

/** Like `withIdentity`, for the account with an address. @throws CommandError when no account has it */
export function withAccount<Result>(
  command: ParsedCommand,
  email: string,
  work: (account: Account, identity: Identity) => Promise<Result>,
): Promise<Result> {
  return withIdentity(command, async (identity) => {
    const account = await identity.accounts.byEmail(email);
    if (account) return await work(account, identity);
    const sentence = `There is no account with the address ${email}.`;
    throw new CommandError(`${sentence} “posthouse user list” lists the accounts.`, 'not_found');
  });
}
