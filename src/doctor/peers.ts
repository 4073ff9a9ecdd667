import type { Config } from '../config/config.ts';
import type { Secrets } from '../config/secrets.ts';
import { SECOND } from '../kernel/clock.ts';
import { tryServer } from '../mail/transports/pools.ts';
import { Ailment, orElse } from './part.ts';

const TIMEOUT_MS = 10 * SECOND;

/** The mail server: greets, offers what was asked for, and lets us sign in. */
export async function examineSmtp({ smtp, publicUrl }: Config, secrets: Secrets): Promise<string> {
  if (!smtp) return 'Not set; mails go to the sandbox.';
  const { host, port, security, verifyTls } = smtp;
  const credentials = secrets.smtp && { username: secrets.smtp.user, password: secrets.smtp.password };
  await orElse(
    'Check POSTHOUSE_SMTP_URL: host, port, tls, user and password, and POSTHOUSE_SMTP_TLS_VERIFY if it signed its own certificate.',
    () =>
      tryServer(
        { host, port, security, verifyTls, credentials, address: null, dkim: null },
        URL.parse(publicUrl ?? '')?.hostname ?? 'localhost',
      ),
  );
  const protection = { tls: 'TLS', starttls: 'STARTTLS', opportunistic: 'STARTTLS when offered', none: 'no encryption' }[security];
  const trust = verifyTls || security === 'none' ? '' : ', its certificate not verified';
  return `${host}:${port} answers (${protection}${trust})${credentials ? ' and lets us sign in' : ''}; mails come from ${smtp.from}.`;
}

/** Any answer shows that the platform, or what stands in for it, can be reached. */
export async function examineDiscord({ discord }: Config, hasBots: boolean): Promise<string> {
  if (!hasBots) return 'No chat client has a bot token; messages go to the sandbox.';
  const status = await orElse(
    'Check POSTHOUSE_DISCORD_API_URL and this machine’s way to the internet; chat messages wait until it answers.',
    async () => {
      const versioned = /\/v\d+$/.test(discord.apiUrl) ? discord.apiUrl : `${discord.apiUrl}/v10`;
      return (await ask(`${versioned}/gateway`)).status;
    },
  );
  if (status >= 500) throw new Ailment(`${discord.apiUrl} answers with ${status}: try again later.`);
  return `${discord.apiUrl} answers.`;
}

/** https://core.telegram.org/bots/api#getme */
export async function examineTelegram({ telegram }: Config, secrets: Secrets): Promise<string> {
  if (secrets.telegramToken === null) return 'No bot token is set; messages of clients without a token of their own go to the sandbox.';
  const answer = await orElse(
    'Check POSTHOUSE_TELEGRAM_API_URL and this machine’s way to the internet; messages wait until it answers.',
    () => ask(`${telegram.apiUrl}/bot${secrets.telegramToken}/getMe`),
  );
  if (answer.status === 401 || answer.status === 404)
    throw new Ailment('Telegram does not know this bot: set POSTHOUSE_TELEGRAM_TOKEN to the token that @BotFather gives.');
  if (!answer.ok) throw new Ailment(`${telegram.apiUrl} answers with ${answer.status}: try again later.`);
  const { result } = (await answer.json()) as { result?: { username?: string } };
  return `${telegram.apiUrl} knows the bot @${result?.username ?? '?'}.`;
}

/** OpenID Connect Discovery 1.0 §4. */
export async function examineIssuer({ externalIssuer, accountsAllowed, adminEmail }: Config): Promise<string> {
  if (!externalIssuer) return 'The embedded issuer, with accounts kept here.';
  const { url } = externalIssuer;
  const metadata = await orElse('Check POSTHOUSE_OIDC_ISSUER; nobody can sign in until the provider answers.', async () => {
    const answer = await ask(`${url.replace(/\/+$/, '')}/.well-known/openid-configuration`);
    if (!answer.ok) throw new Error(`${url} answers its discovery document with ${answer.status}`);
    return (await answer.json()) as { issuer?: unknown; authorization_endpoint?: unknown };
  });
  if (typeof metadata.issuer !== 'string' || metadata.issuer.replace(/\/+$/, '') !== url.replace(/\/+$/, '')) {
    throw new Ailment(`The provider calls itself ${String(metadata.issuer)}: set POSTHOUSE_OIDC_ISSUER to exactly that.`);
  }
  const admitted = accountsAllowed.length > 0 || adminEmail !== null;
  return `${url} answers.${admitted ? '' : ' Only invited people can sign in, since POSTHOUSE_OIDC_ALLOW is not set.'}`;
}

/** Where people reach us: encrypted, and with their addresses told. */
export async function examinePublicUrl({ publicUrl, port, trustedProxies }: Config): Promise<string> {
  if (publicUrl === null) return `Not set; links lead to http://localhost:${port}, which works on this machine alone.`;
  const { protocol, hostname } = new URL(publicUrl);
  const isLocal = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.') || hostname.endsWith('.localhost');
  if (protocol === 'http:' && !isLocal) {
    throw new Ailment(
      `${publicUrl} is not encrypted, so passwords and sessions can be read on the way: put a proxy with a certificate in front, and set POSTHOUSE_PUBLIC_URL to its https address.`,
    );
  }
  if (protocol === 'https:' && trustedProxies.length === 0) {
    throw new Ailment(
      'A proxy stands in front, but none is trusted, so all visitors count as one address for the limits: set POSTHOUSE_TRUSTED_PROXIES to the address of the proxy.',
    );
  }
  const answer = await ask(`${publicUrl}/healthz`).catch(() => null);
  if (answer === null) return `${publicUrl}; it does not answer from here, which is no fault if the server is not running.`;
  const healthy = answer.ok && ((await answer.json().catch(() => null)) as { status?: unknown } | null)?.status === 'ok';
  if (!healthy) throw new Ailment(`${publicUrl} answers, but it is not this server (status ${answer.status}): check the proxy.`);
  return `${publicUrl} answers.`;
}

const LARGEST_DIFFERENCE_MS = 30 * SECOND;

/** Our clock against the database's, since leases, links and codes live by it. */
export async function examineClock(theirs: { theirs: number; ours: number } | null): Promise<string> {
  if (theirs === null) return `${new Date().toISOString()}; there is no other clock to compare it with.`;
  const difference = theirs.ours - theirs.theirs;
  if (Math.abs(difference) > LARGEST_DIFFERENCE_MS) {
    throw new Ailment(
      `This machine is ${Math.round(Math.abs(difference) / SECOND)} s ${difference > 0 ? 'ahead of' : 'behind'} the database: set both clocks by NTP.`,
    );
  }
  return `Within ${Math.abs(difference)} ms of the database.`;
}

async function ask(url: string): Promise<Response> {
  return await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'follow', headers: { Accept: 'application/json' } });
}
