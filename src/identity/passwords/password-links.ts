import { type Clock, DAY, HOUR } from '../../kernel/clock.ts';
import type { Vault } from '../../kernel/crypto/vault.ts';
import type { Database, Reader } from '../../kernel/database/database.ts';
import { isId } from '../../kernel/ids.ts';
import { passwordMarkOf } from './password-mark.ts';

interface PasswordLinksDeps {
  database: Database;
  clock: Clock;
  vault: Vault;
  publicUrl: string;
}

/** Path of the page behind a link, before the token. */
export const PASSWORD_PATH = '/password';

/** Purpose of the signature, and time until a link expires. */
const KINDS = {
  invitation: { purpose: 'password link', lifetimeMs: 7 * DAY },
  reset: { purpose: 'password reset', lifetimeMs: HOUR },
} as const;

/** Administrators create invitations. Anyone can request a reset for an address, to which the link is e-mailed. */
export type LinkKind = keyof typeof KINDS;

const KIND_NAMES = Object.keys(KINDS) as LinkKind[];

/**
 * One-time links to choose a password, after an invitation or when the password is lost. They are not stored: their
 * signature covers the hash of the current password, so that a new password ends all earlier links.
 */
export interface PasswordLinks {
  /** Creates a link; null for an account without local password. `expiresAt` in milliseconds. */
  create(accountId: string, kind: LinkKind): Promise<{ link: string; expiresAt: number } | null>;
  /** Returns the account and kind of a link's token; null when it is used, expired or unknown. */
  find(token: string, reader?: Reader): Promise<{ accountId: string; kind: LinkKind } | null>;
}

export function createPasswordLinks(deps: PasswordLinksDeps): PasswordLinks {
  const { database, clock, vault, publicUrl } = deps;
  const claim = (accountId: string, expiresAt: number, mark: string) => `${accountId}.${expiresAt}.${mark}`;

  return {
    async create(accountId, kind) {
      const mark = await passwordMarkOf(database.read, accountId);
      if (mark === null) return null;
      const { purpose, lifetimeMs } = KINDS[kind];
      const expiresAt = clock.now() + lifetimeMs;
      const signature = vault.sign(purpose, claim(accountId, expiresAt, mark));
      return { link: `${publicUrl}${PASSWORD_PATH}/${accountId}.${expiresAt}.${signature}`, expiresAt };
    },
    async find(token, reader = database.read) {
      const [accountId = '', expiresAt = '', signature = ''] = token.split('.');
      if (!isId(accountId) || !(Number(expiresAt) > clock.now())) return null;
      const mark = await passwordMarkOf(reader, accountId);
      if (mark === null) return null;
      const signed = claim(accountId, Number(expiresAt), mark);
      const kind = KIND_NAMES.find((name) => vault.verify(KINDS[name].purpose, signed, signature));
      return kind ? { accountId, kind } : null;
    },
  };
}
