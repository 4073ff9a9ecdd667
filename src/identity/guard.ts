import type { Ctx } from '../kernel/http/context.ts';

export type Role = 'admin' | 'user';

/** The account behind a request. */
export interface Visitor {
  accountId: string;
  email: string;
  name: string;
  role: Role;
}

/** Says who a request comes from. The one thing of identity that the other services know. */
export interface Guard {
  /**
   * The account by session cookie or personal access token; anything but GET and HEAD needs the scope `write`.
   * @throws Problem 401 `login_required`, 403 `cross_site_request`, 403 `scope_insufficient`
   */
  requireAccount(c: Ctx): Promise<Visitor>;
  /** The account by session cookie alone. @throws Problem like `requireAccount` */
  requireSession(c: Ctx): Promise<Visitor>;
  /** An administrator by session cookie alone. @throws Problem like `requireAccount`, and 403 `admin_required` */
  requireAdmin(c: Ctx): Promise<Visitor>;
}
