import { shapeConfig } from '../../src/config/config.ts';
import { readSettings } from '../../src/config/env.ts';
import { type Foundation, openFoundation } from '../../src/foundation/foundation.ts';
import { openIdentityStores } from '../../src/foundation/identity-stores.ts';
import type { Account } from '../../src/identity/account.ts';
import { cookieName } from '../../src/identity/login/cookies.ts';
import type { IdentityStores } from '../../src/identity/stores.ts';
import { DAY } from '../../src/kernel/clock.ts';
import type { Transaction } from '../../src/kernel/database/database.ts';
import { cheapPasswords } from './passwords.ts';
import type { Posthouse } from './process.ts';

/*
 * Accounts, tokens and sessions, created in this process. `test/identity-commands.test.ts` creates them with the
 * commands, `test/identity-login.test.ts` by sign-ins.
 */

const PASSWORD = 'correct horse battery';

interface Stores extends IdentityStores {
  expiresAt: number;
  secure: boolean;
}

type Settings = Record<string, string>;

/** Passes the foundation of a server (which may be running) to `work`. */
type Lend = <Result>(
  settings: Settings,
  work: (foundation: Foundation) => Promise<Result>,
) => Promise<Result>;

/** Returns functions that create accounts, tokens and sessions in the database of a server. */
export function accountsIn(lend: Lend) {
  function withStores<Result>(
    settings: Settings,
    work: (trx: Transaction, stores: Stores) => Promise<Result>,
  ): Promise<Result> {
    const { config } = shapeConfig(readSettings({}, settings));
    return lend(settings, async (foundation) => {
      const stores = {
        ...openIdentityStores({ ...foundation, passwords: cheapPasswords }, config),
        expiresAt: foundation.clock.now() + DAY,
        secure: config.publicUrl?.startsWith('https:') ?? false,
      };
      return await foundation.database.transaction((trx) => work(trx, stores));
    });
  }

  const accounts = {
    /** Creates an administrator. */
    async addAdmin(settings: Settings, email = 'ada@example.org', password = PASSWORD): Promise<void> {
      await withStores(settings, (trx, stores) =>
        addAccount(trx, stores, { email, password, role: 'admin' }),
      );
    },
    /** Creates an account with a token for scripts. */
    addPerson: (settings: Settings, email: string, password = PASSWORD) =>
      withStores(settings, async (trx, stores) => {
        const { id } = await addAccount(trx, stores, { email, password, role: 'user' });
        const token = await addTokenOf(trx, stores, id);
        return { id, email, password, token, headers: bearer(token) };
      }),
    /** Creates a token for the scripts of an account; returns its header. */
    addToken: (settings: Settings, email: string) =>
      withStores(settings, async (trx, stores) => {
        const token = await addTokenOf(trx, stores, (await accountOf(stores, email)).id);
        return { token, headers: bearer(token) };
      }),
    /** Starts a session of an account without its password; returns its cookie, and the header for plain `fetch`. */
    openSession: ({ settings }: Posthouse, email: string) =>
      withStores(settings, async (trx, stores) => {
        const { id } = await accountOf(stores, email);
        const token = await stores.sessions.start(trx, { accountId: id, userAgent: 'test' });
        const cookie = `${cookieName('posthouse', stores.secure)}=${token}`;
        return { id, cookie, headers: { Cookie: cookie } };
      }),
    /** Creates an administrator with a session. */
    async signInAdmin(posthouse: Posthouse) {
      const email = 'admin@example.org';
      await accounts.addAdmin(posthouse.settings, email);
      return await accounts.openSession(posthouse, email);
    },
  };
  return accounts;
}

/** For programs other than tests, which open the database for each call. */
export const { addPerson, openSession } = accountsIn(async (settings, work) => {
  const { config, secrets } = shapeConfig(readSettings({}, settings));
  const foundation = await openFoundation({ ...config, logLevel: 'silent' }, secrets);
  try {
    return await work(foundation);
  } finally {
    await foundation.close();
  }
});

async function addAccount(
  trx: Transaction,
  { accounts }: Stores,
  account: { email: string; password: string; role: Account['role'] },
): Promise<Account> {
  const passwordHash = await accounts.hashPassword(account.password, 'test');
  return await accounts.create(trx, { ...account, passwordHash });
}

async function accountOf({ accounts }: Stores, email: string): Promise<Account> {
  const account = await accounts.byEmail(email);
  if (!account) throw new Error(`there is no account ${email}`);
  return account;
}

async function addTokenOf(trx: Transaction, { tokens, expiresAt }: Stores, accountId: string) {
  return (await tokens.create(trx, { accountId, name: 'test', scope: 'write', expiresAt })).token;
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
