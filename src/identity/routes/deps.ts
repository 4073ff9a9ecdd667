import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { AccountMails } from '../account-mails.ts';
import type { SessionGuard } from '../guard.ts';
import type { PasswordLinks } from '../passwords/password-links.ts';
import type { IdentitySettings } from '../settings.ts';
import type { IdentityStores } from '../stores.ts';

/** The workspaces of an account. */
interface Profile {
  /** The personal workspace and its root folder. */
  workspaceId: string | null;
  rootFolderId: string | null;
  mayCreateWorkspaces: boolean;
}

/** Returns the profile of an account; implemented by storage. */
export type ProfileOf = (account: { id: string; isAdmin: boolean }) => Promise<Profile>;

/** Dependencies of the endpoints of accounts, sessions and tokens; each uses some of them. */
export interface AccountRoutesDeps extends IdentityStores, Pick<IdentitySettings, 'origins' | 'corsOrigins'> {
  database: Database;
  clock: Clock;
  guard: SessionGuard;
  /** True when the public URL is https. */
  secure: boolean;
  profileOf: ProfileOf;
  passwordLinks: PasswordLinks;
  /** Null = the server sends no e-mails. */
  accountMails: AccountMails | null;
}
