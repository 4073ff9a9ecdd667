import { createCache } from '../../kernel/cache.ts';
import type { Clock } from '../../kernel/clock.ts';
import { equalInConstantTime } from '../../kernel/crypto/digest.ts';
import type { Passwords } from '../../kernel/crypto/passwords.ts';
import type { Vault } from '../../kernel/crypto/vault.ts';
import { limitKey } from '../../kernel/ip.ts';
import type { AttemptRule, Attempts } from '../../kernel/limits/attempts.ts';
import { createKeyedQueue } from '../../kernel/limits/keyed-queue.ts';
import { Problem } from '../../kernel/problem.ts';
import { ACCESS_KEY_PURPOSE } from '../tree/files/files.ts';
import { attemptRules, attemptScope } from './attempts.ts';
import { createPasses, PASS_MS } from './passes.ts';
import type { Protected } from './protected.ts';

/** The secrets of a public request. */
export interface PresentedSecrets {
  /** The client's address. */
  address: string;
  accessKey: string | null;
  filePassword: string | null;
  /** A pass from `passFor`; null = none. */
  pass: string | null;
}

/** Checks the secrets in public requests for files, and for links to folders. */
export interface Gate {
  /**
   * Checks the secrets of a request. Reports whether one was required; caches must not store such responses.
   * @throws Problem 429 `too_many_attempts`, 403 `access_key_required`, `access_key_wrong`,
   *   `file_password_required`, `file_password_wrong`
   */
  check(item: Protected, presented: PresentedSecrets): Promise<boolean> | boolean;
  /** Returns a pass, valid for `PASS_MS` and until the secrets change. */
  passFor(item: Protected): string;
}

/** Codes of `Gate.check`. */
export const GATE_PROBLEMS = [
  'access_key_required',
  'access_key_wrong',
  'file_password_required',
  'file_password_wrong',
  'too_many_attempts',
] as const;

/** Maximum number of waiting passwords per address and file. */
const WAITING_EACH = 100;
const PROOFS_KEPT = 10_000;

interface GateDeps {
  vault: Vault;
  clock: Clock;
  attempts: Attempts;
  passwords: Passwords;
}

type Verdict = 'right' | 'missing' | 'wrong';

export function createGate(deps: GateDeps): Gate {
  const { vault, clock, attempts } = deps;
  const passes = createPasses({ vault, clock });
  const requirePassword = createPasswordCheck(deps);

  function checkKey({ id, accessKey }: Protected, given: string | null): Verdict {
    if (accessKey === null) return 'right';
    if (given === null || given === '') return 'missing';
    return equalInConstantTime(vault.open(ACCESS_KEY_PURPOSE, id, accessKey), given) ? 'right' : 'wrong';
  }

  async function requireSecrets(item: Protected, presented: PresentedSecrets): Promise<true> {
    if (passes.isValid(item, presented.pass)) return true;
    const rules = attemptRules(attemptScope(item.kind, item.id), presented.address);
    await attempts.check(rules);
    const key = checkKey(item, presented.accessKey);
    if (key === 'wrong') await attempts.failFrom(presented.address, rules);
    if (key !== 'right') throw refusal(item, 'access_key', key);
    const password = item.passwordHash === null ? 'right' : await requirePassword(item, presented, rules);
    if (password !== 'right') throw refusal(item, 'file_password', password);
    return true;
  }

  return {
    check: (item, presented) =>
      item.accessKey === null && item.passwordHash === null ? false : requireSecrets(item, presented),
    passFor: passes.create,
  };
}

/** Returns a check of passwords that hashes each correct one only once in `PASS_MS`. */
function createPasswordCheck({ vault, clock, attempts, passwords }: GateDeps) {
  const inTurn = createKeyedQueue(WAITING_EACH);
  /** Signatures of verified passwords, which are not hashed again. */
  const proofs = createCache<true>({ max: PROOFS_KEPT, expiry: { ttlMs: PASS_MS, clock } });

  /**
   * @param rules checked before each hash; the passwords of one address are hashed one after another, since parallel
   *   ones are likely guesses
   */
  return async (
    { id, passwordHash }: Protected,
    { filePassword: given, address }: PresentedSecrets,
    rules: readonly AttemptRule[],
  ): Promise<Verdict> => {
    if (given === null || given === '') return 'missing';
    const proof = vault.sign('proven file password', `${id} ${passwordHash} ${given}`);
    if (proofs.has(proof)) return 'right';
    const isRight = await inTurn(rules[0]?.scope ?? '', async () => {
      await attempts.check(rules);
      const right = await passwords.verify(given, passwordHash, limitKey(address));
      if (!right) await attempts.failFrom(address, rules);
      return right;
    });
    if (!isRight) return 'wrong';
    proofs.set(proof, true);
    return 'right';
  };
}

function refusal(
  { kind }: Protected,
  secret: 'access_key' | 'file_password',
  how: 'missing' | 'wrong',
): Problem {
  const name = secret === 'access_key' ? 'access key' : 'password';
  return how === 'missing'
    ? new Problem(`${secret}_required`, `This ${kind} requires its ${name}.`)
    : new Problem(`${secret}_wrong`, `The ${name} of this ${kind} is wrong.`);
}
