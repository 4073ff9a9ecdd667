export type AccountRole = 'admin' | 'user';

/** `read` allows GET, HEAD and OPTIONS only. */
export type TokenScope = 'read' | 'write';

/** The account that makes a request. */
export interface Caller {
  /** Id of the session or the token. */
  credentialId: string;
  accountId: string;
  email: string;
  name: string;
  role: AccountRole;
}

/** A caller with a personal access token. */
export interface TokenCaller extends Caller {
  scope: TokenScope;
}
