import { shapeConfig } from '../../src/config/config.ts';
import { readSettings } from '../../src/config/env.ts';
import { openFoundation } from '../../src/foundation.ts';
import type { Account } from '../../src/identity/account.ts';
import type { IdentityStores } from '../../src/identity/stores.ts';
import { openIdentityStores } from '../../src/identity-stores.ts';
import { DAY } from '../../src/kernel/clock.ts';
import { argon2idHere } from '../../src/kernel/crypto/argon2id.ts';
import { createPasswords } from '../../src/kernel/crypto/passwords.ts';
import type { Transaction } from '../../src/kernel/database/database.ts';
import { cookieName } from '../../src/kernel/http/cookies.ts';
import type { Posthouse } from './process.ts';

/*
 * Accounts, tokens and sessions, created in this process. `test/identity-commands.test.ts` creates them with the
 * commands, `test/identity-login.test.ts` by sign-ins.
 */

export const PASSWORD = 'correct horse battery';

/** Hashes at the lowest cost. A server verifies a hash with the parameters that it contains. */
const passwords = createPasswords({
  ...argon2idHere,
  hash: (password) => Bun.password.hash(password, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 }),
});

interface Stores extends IdentityStores {
  expiresAt: number;
  secure: boolean;
}

/** Opens the stores of a server (which may be running) for one transaction. */
async function withStores<Result>(
  settings: Record<string, string>,
  work: (trx: Transaction, stores: Stores) => Promise<Result>,
): Promise<Result> {
  const { config, secrets } = shapeConfig(readSettings({}, settings));
  const foundation = await openFoundation({ ...config, logLevel: 'silent' }, secrets);
  try {
    const stores = {
      ...openIdentityStores({ ...foundation, passwords }, config),
      expiresAt: foundation.clock.now() + DAY,
      secure: config.publicUrl?.startsWith('https:') ?? false,
    };
    return await foundation.database.transaction((trx) => work(trx, stores));
  } finally {
    await foundation.close();
  }
}

async function addAccount(
  trx: Transaction,
  { accounts }: Stores,
  account: { email: string; password: string; role: Account['role'] },
): Promise<Account> {
  const passwordHash = await accounts.hashPassword(account.password, 'test');
  return await accounts.create(trx, { ...account, passwordHash });
}

/** Creates an administrator. */
export async function addAdmin(
  settings: Record<string, string>,
  email = 'ada@example.org',
  password = PASSWORD,
): Promise<void> {
  await withStores(settings, (trx, stores) => addAccount(trx, stores, { email, password, role: 'admin' }));
}

/** Creates an account with a token for scripts. */
export async function addPerson(settings: Record<string, string>, email: string, password = PASSWORD) {
  return await withStores(settings, async (trx, stores) => {
    const { id } = await addAccount(trx, stores, { email, password, role: 'user' });
    const token = await addTokenOf(trx, stores, id);
    return { id, email, password, token, headers: bearer(token) };
  });
}

/** Creates a token for the scripts of an account; returns its header. */
export async function addToken(settings: Record<string, string>, email: string) {
  return await withStores(settings, async (trx, stores) => {
    const token = await addTokenOf(trx, stores, (await accountOf(stores, email)).id);
    return { token, headers: bearer(token) };
  });
}

/** Starts a session of an account without its password; returns its cookie, and the header for plain `fetch`. */
export async function openSession({ settings }: Posthouse, email: string) {
  return await withStores(settings, async (trx, stores) => {
    const { id } = await accountOf(stores, email);
    const token = await stores.sessions.start(trx, { accountId: id, userAgent: 'test' });
    const cookie = `${cookieName('posthouse', stores.secure)}=${token}`;
    return { id, cookie, headers: { Cookie: cookie } };
  });
}

/** Creates an administrator with a session. */
export async function signInAdmin(posthouse: Posthouse) {
  const email = 'admin@example.org';
  await addAdmin(posthouse.settings, email);
  return await openSession(posthouse, email);
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
