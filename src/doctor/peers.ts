import type { Config } from '../config/config.ts';
import type { Secrets } from '../config/secrets.ts';
import { unencryptedAccess } from '../config/warnings.ts';
import { SECOND } from '../kernel/clock.ts';
import { fetchShort, ResponseTooLarge } from '../kernel/short-response.ts';
import { ehloName } from '../mail/ehlo-name.ts';
import { tryServer } from '../mail/transports/pools.ts';
import { CheckFailed, withRemedy } from './check.ts';

const TIMEOUT_MS = 10 * SECOND;

/** Checks that the mail server responds, supports the required encryption, and accepts the credentials. */
export async function checkSmtp(
  { smtp, smtpName, mailFrom, publicUrl }: Config,
  secrets: Secrets,
): Promise<string> {
  if (!smtp) return 'Not set; e-mails go to the sandbox.';
  const { host, port, security, verifyTls } = smtp;
  const credentials = secrets.smtp && { username: secrets.smtp.user, password: secrets.smtp.password };
  await withRemedy(
    'Check POSTHOUSE_SMTP_URL: host, port, tls, user and password, and POSTHOUSE_SMTP_TLS_VERIFY if ' +
      'its certificate is self-signed.',
    () =>
      tryServer(
        { host, port, security, verifyTls, credentials, address: null, dkim: null },
        smtpName ?? ehloName(publicUrl ?? 'http://localhost'),
      ),
  );
  const protection = {
    tls: 'TLS',
    starttls: 'STARTTLS',
    opportunistic: 'STARTTLS when offered',
    none: 'no encryption',
  }[security];
  const trust = verifyTls || security === 'none' ? '' : ', certificate not verified';
  return (
    `${host}:${port} responds (${protection}${trust})${credentials ? ' and accepts the credentials' : ''}; ` +
    `e-mails are sent from ${mailFrom}.`
  );
}

/** Checks that the platform, or a compatible server, is reachable. Any response below 500 counts. */
export async function checkDiscord({ discord }: Config, hasBots: boolean): Promise<string> {
  if (!hasBots) return 'No chat client has a bot token; messages go to the sandbox.';
  const status = await withRemedy(
    'Check POSTHOUSE_DISCORD_API_URL and this machine’s internet connection; chat messages wait until it responds.',
    async () => {
      const versioned = /\/v\d+$/.test(discord.apiUrl) ? discord.apiUrl : `${discord.apiUrl}/v10`;
      return (await request(`${versioned}/gateway`)).status;
    },
  );
  if (status >= 500) throw new CheckFailed(`${discord.apiUrl} responds with ${status}: try again later.`);
  return `${discord.apiUrl} responds.`;
}

/** https://core.telegram.org/bots/api#getme */
export async function checkTelegram({ telegram }: Config, secrets: Secrets): Promise<string> {
  if (secrets.telegramToken === null)
    return 'No bot token is set; messages of clients without their own token go to the sandbox.';
  const { response, bot } = await withRemedy(
    'Check POSTHOUSE_TELEGRAM_API_URL and this machine’s internet connection; messages wait until it responds.',
    async () => {
      const response = await request(`${telegram.apiUrl}/bot${secrets.telegramToken}/getMe`);
      const found = response.ok ? ((await response.json()) as { result?: { username?: string } }) : null;
      return { response, bot: found?.result?.username };
    },
  );
  if (response.status === 401 || response.status === 404)
    throw new CheckFailed(
      'Telegram rejects this bot token: set POSTHOUSE_TELEGRAM_TOKEN to the token from @BotFather.',
    );
  if (!response.ok)
    throw new CheckFailed(`${telegram.apiUrl} responds with ${response.status}: try again later.`);
  return `${telegram.apiUrl} accepts the token of the bot @${bot ?? '?'}.`;
}

/** OpenID Connect Discovery 1.0 §4. */
export async function checkIssuer({ externalIssuer, accountsAllowed, adminEmail }: Config): Promise<string> {
  if (!externalIssuer) return 'The embedded issuer, with local accounts.';
  const { url } = externalIssuer;
  const metadata = await withRemedy(
    'Check POSTHOUSE_OIDC_ISSUER; nobody can sign in until the provider responds.',
    async () => {
      const response = await request(`${url.replace(/\/+$/, '')}/.well-known/openid-configuration`);
      if (!response.ok)
        throw new Error(`${url} responds to the request for its discovery document with ${response.status}`);
      return (await response.json()) as { issuer?: unknown; authorization_endpoint?: unknown };
    },
  );
  if (
    typeof metadata.issuer !== 'string' ||
    metadata.issuer.replace(/\/+$/, '') !== url.replace(/\/+$/, '')
  ) {
    throw new CheckFailed(
      `The provider’s issuer is ${String(metadata.issuer)}: set POSTHOUSE_OIDC_ISSUER to exactly this value.`,
    );
  }
  const admitted = accountsAllowed.length > 0 || adminEmail !== null;
  const limits = admitted ? '' : ' Only invited people can sign in, since POSTHOUSE_OIDC_ALLOW is not set.';
  return `${url} responds.${limits}`;
}

/** Checks that the public URLs are encrypted, lead to this server, and that their proxy is trusted. */
export async function checkPublicUrl(config: Config): Promise<string> {
  const { publicUrl, otherUrls, port, trustedProxies } = config;
  const unencrypted = unencryptedAccess(config);
  if (unencrypted) throw new CheckFailed(unencrypted);
  if (publicUrl === null)
    return `Not set; links lead to http://localhost:${port}, which works on this machine only.`;
  const isEncrypted = publicUrl.startsWith('https:');
  if (isEncrypted && trustedProxies.length === 0) {
    throw new CheckFailed(
      'The server is behind a proxy, but none is trusted, so all visitors count as one address for ' +
        'rate limits: set POSTHOUSE_TRUSTED_PROXIES to the address of the proxy.',
    );
  }
  return (await Promise.all([publicUrl, ...otherUrls].map(checkAddress))).join(' ');
}

async function checkAddress(url: string): Promise<string> {
  const response = await request(`${url}/healthz`).catch((error) => {
    if (error instanceof ResponseTooLarge) throw error;
    return null;
  });
  if (response === null)
    return `${url}; it does not respond from this machine, which is expected while the server is stopped.`;
  const healthy =
    response.ok &&
    ((await response.json().catch(() => null)) as { status?: unknown } | null)?.status === 'ok';
  if (!healthy)
    throw new CheckFailed(
      `${url} responds, but it is not this server (status ${response.status}): check the proxy.`,
    );
  return `${url} responds.`;
}

/** Lists the services of this node, and explains what is missing without identity. */
export async function checkServices({ services }: Config): Promise<string> {
  const list = [...services].join(', ');
  if (services.has('identity')) return `${list}.`;
  return (
    `${list}, without identity: nobody can sign in at this node, and it has no web app. Administration and files ` +
    'of accounts need a node with identity behind the same host name, or personal access tokens.'
  );
}

async function request(url: string): Promise<Response> {
  return await fetchShort(url, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'follow',
    headers: { Accept: 'application/json' },
  });
}
