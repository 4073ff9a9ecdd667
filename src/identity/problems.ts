import type { ProblemTable } from '../kernel/problem.ts';

/** Error codes of sign-in and accounts. A published code keeps its meaning. */
// biome-ignore format: three or four lines per code
export const identityProblems = {
  login_failed: { status: 400, title: 'Sign-in failed',
    de: { title: 'Anmeldung fehlgeschlagen',
      detail: 'Die Anmeldung begann in einem anderen Browser oder vor zu langer Zeit. Versuchen Sie es erneut.' },
    remedy: 'Start again at `/login`. Complete the sign-in within ten minutes, in the same browser.' },
  login_required: { status: 401, title: 'Sign-in required',
    de: { title: 'Anmeldung erforderlich', detail: 'Melden Sie sich an.' },
    remedy: 'Sign in at `/login`, or send a valid personal access token as `Authorization: Bearer …`.' },
  bad_credentials: { status: 401, title: 'Wrong e-mail address or password',
    de: { title: 'E-Mail-Adresse oder Passwort falsch',
      detail: 'Die E-Mail-Adresse oder das Passwort ist falsch.' },
    remedy: 'Check both. For a new password, use “Forgot your password?” or ask an administrator.' },
  cross_site_request: { status: 403, title: 'Cross-site request',
    de: { title: 'Anfrage einer anderen Website', detail: 'Die Anfrage kam von einer anderen Website.' },
    remedy: 'Send the request from a page of this server, or from a script with a personal access token.' },
  admin_required: { status: 403, title: 'Administrator required',
    de: { title: 'Administrator erforderlich', detail: 'Das können nur Administratoren.' },
    remedy: 'Ask an administrator.' },
  scope_insufficient: { status: 403, title: 'Insufficient scope',
    de: { title: 'Berechtigung reicht nicht aus',
      detail: 'Dieses Zugriffstoken ist dafür nicht berechtigt.' },
    remedy: 'Use a token with the scope `write`. `/api/admin` and `/api/account` require a session.' },
  account_not_allowed: { status: 403, title: 'Account not allowed',
    de: { title: 'Konto nicht zugelassen',
      detail: 'Dieses Konto ist hier nicht zugelassen. Bitten Sie einen Administrator um eine Einladung.' },
    remedy: 'Ask an administrator for an invitation, or to add your address to `POSTHOUSE_OIDC_ALLOW`.' },
  email_taken: { status: 409, title: 'E-mail address already in use',
    de: { title: 'E-Mail-Adresse bereits vergeben', detail: 'Zu dieser E-Mail-Adresse gibt es bereits ein Konto.' },
    remedy: 'Use the existing account, or another address.' },
  last_admin: { status: 409, title: 'Last administrator',
    de: { title: 'Letzter Administrator', detail: 'Machen Sie zuerst ein anderes Konto zum Administrator.' },
    remedy: 'Make another account an administrator first.' },
  issuer_unreachable: { status: 502, title: 'OpenID provider unreachable',
    de: { title: 'OpenID-Anbieter nicht erreichbar',
      detail: 'Der OpenID-Anbieter ist zurzeit nicht erreichbar. Versuchen Sie es später erneut.' },
    remedy: 'Try again later. The operator can find the cause with `posthouse doctor`.' },
} as const satisfies ProblemTable;

declare module '../kernel/problem.ts' {
  interface ProblemCodes extends Record<keyof typeof identityProblems, unknown> {}
}
