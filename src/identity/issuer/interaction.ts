import type { IncomingMessage, ServerResponse } from 'node:http';
import { errors, type Provider } from 'oidc-provider';
import { languageBy } from '../../kernel/http/language.ts';
import type { Problems } from '../../kernel/http/problems/problems.ts';
import type { Log } from '../../kernel/log.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Caller } from '../caller.ts';
import type { SignIn } from '../login/sign-in.ts';
import { type Origins, signInOriginOf, usesFirstOrigin } from '../origins.ts';
import { expiredPage, signInPage } from '../pages/sign-in.ts';
import { textsOf } from '../pages/texts.ts';
import type { PasswordLogin } from '../passwords/password-login.ts';
import type { SameOriginRule } from '../same-origin.ts';
import { proofOf } from './proof.ts';

/** Returns the session at the first address, from its cookie in a `Cookie` header; null = none. */
export type SessionOf = (cookies: string | undefined) => Promise<Caller | null>;

/** Dependencies of the sign-in page in addition to the provider. */
export interface PageDeps {
  sessionOf: SessionOf;
  passwordLogin: PasswordLogin;
  signIn: Pick<SignIn, 'devices' | 'signIns'>;
  isSameOrigin: SameOriginRule;
  problems: Problems;
  /** Path of the page for a forgotten password; null = the server sends no e-mails. */
  forgotPath: string | null;
}

interface InteractionDeps extends PageDeps {
  provider: Provider;
  origins: Origins;
  log: Log;
}

const FORM_LIMIT = 16_384;

type Interaction = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

/**
 * The page between an authorization request and its response: GET shows the form, POST checks it. A signed
 * cookie, which the issuer sets for this path only, identifies the authorization request.
 */
export function createInteraction(deps: InteractionDeps): Interaction {
  const { provider, passwordLogin, isSameOrigin, problems, forgotPath, log } = deps;
  const { devices, signIns } = deps.signIn;

  /** Browsers apply the policy for forms to the redirects that follow, up to the callback. */
  const others = deps.origins.filter((origin) => signInOriginOf(deps.origins, origin) !== origin);
  const head = { forgotPath, policy: { 'form-action': ["'self'", ...others].join(' ') } };

  /** Finishes a sign-in at another address without a form, when the browser is signed in at the first. */
  async function isSignedIn(
    req: IncomingMessage,
    res: ServerResponse,
    { redirect_uri }: Record<string, unknown>,
  ): Promise<boolean> {
    if (!usesFirstOrigin(deps.origins, String(redirect_uri))) return false;
    const session = await deps.sessionOf(header(req, 'cookie'));
    if (!session) return false;
    await finish(req, res, session.accountId, proofOf('session', session.credentialId));
    return true;
  }

  const finish = (req: IncomingMessage, res: ServerResponse, accountId: string, proof: string) =>
    provider.interactionFinished(req, res, { login: { accountId, remember: false, acr: proof } });

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<Response | null> {
    const { params } = await provider.interactionDetails(req, res);
    const language = languageBy((name) => header(req, name));
    if (req.method !== 'POST')
      return (await isSignedIn(req, res, params)) ? null : await signInPage({ ...head, language });
    const [site, origin] = [header(req, 'sec-fetch-site'), header(req, 'origin')];
    if (!isSameOrigin({ site, origin, host: header(req, 'x-forwarded-host') ?? '' })) {
      return await signInPage({
        ...head,
        language,
        status: 403,
        error: textsOf(language).otherSite,
      });
    }
    const form = await readForm(req);
    const email = form.get('email') ?? '';
    try {
      const { account, mark } = await passwordLogin(email, form.get('password') ?? '', {
        address: header(req, 'x-forwarded-for') ?? '',
        deviceToken: devices.read(header(req, 'cookie')),
      });
      await finish(req, res, account.id, proofOf('password', mark));
      return null;
    } catch (error) {
      signIns.refused(error);
      if (!(error instanceof Problem)) throw error;
      log.info({ code: error.code, address: header(req, 'x-forwarded-for') }, 'sign-in refused');
      return await signInPage({
        ...head,
        ...problems.head(error),
        language,
        error: problems.detail(error, language),
        email,
      });
    }
  }

  return async (req, res) => {
    let page: Response | null;
    try {
      page = await answer(req, res);
    } catch (error) {
      if (!(error instanceof errors.SessionNotFound)) throw error;
      page = await expiredPage(languageBy((name) => header(req, name)));
    }
    if (page) await send(page, res);
  };
}

async function send(page: Response, res: ServerResponse): Promise<void> {
  res.statusCode = page.status;
  for (const [name, value] of page.headers) res.setHeader(name, value);
  res.end(await page.text());
}

function header(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

async function readForm(req: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > FORM_LIMIT) return new URLSearchParams();
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}
