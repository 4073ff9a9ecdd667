import { MINUTE } from '../../kernel/clock.ts';
import {
  type Claimed,
  type Delivery,
  held,
  later,
  MAX_REASON_LENGTH,
  refused,
  type Transport,
} from '../../kernel/outbox/message.ts';
import { formsOf, hideSecrets } from '../../kernel/without-secrets.ts';
import type { SmtpAccount } from '../clients/client-settings.ts';
import type { Clients } from '../clients/clients.ts';
import type { Contents } from '../contents.ts';
import { EMAIL_KIND, type EmailPayload } from '../payload.ts';
import type { AccountPauses } from './account-pauses.ts';
import { accountRefusal, isServerFailure, outcomeOf, outcomeOfError } from './outcome.ts';
import { accountKey, type Dkim, type Pools, type SmtpTarget } from './pools.ts';
import type { Pressure } from './pressure.ts';

/** Begins the reason of e-mails that wait for their account; the server's reply follows, for administrators. */
export const REFUSED_ACCOUNT = 'the mail server refuses this account';

const CONCURRENCY = 40;
/** Concurrent deliveries to servers of callers and clients. The rest is for the configured server. */
export const CLIENT_LIMITS = { client: 10, clients: 30 };
/**
 * Time limit of one delivery: a peer that sends single bytes with long pauses would otherwise keep its permit forever.
 */
const MAX_MS = 30 * MINUTE;

/** The SMTP server of the operator's settings, the only one whose certificate may stay unverified. */
export type ServerAccount = SmtpAccount & Pick<SmtpTarget, 'verifyTls'>;

interface SmtpDeps {
  /** Null = sandbox. */
  account: ServerAccount | null;
  dkim: Dkim | null;
  clients: Clients;
  contents: Contents;
  pools: Pools;
  pressure: Pressure;
  pauses: AccountPauses;
}

/** Delivers e-mails over SMTP; those of the sandbox are not sent. */
export function createSmtpTransport(deps: SmtpDeps): Transport {
  return {
    kind: EMAIL_KIND,
    concurrency: CONCURRENCY,
    about(payload) {
      const { subject, recipients } = payload as EmailPayload;
      return { title: subject, to: recipients.map(({ address }) => address) };
    },
    async deliver(message, signal) {
      const payload = message.payload as EmailPayload;
      if (message.sandbox) return outcomeOf(payload, { refused: [] });
      if (payload.server.kind === 'caller' && payload.server.signsIn && message.secret === null)
        return refused(
          'password_erased',
          'the SMTP password was erased when the e-mail reached its final status',
        );
      const target = await targetOf(message, payload, deps);
      if (!target)
        return later('smtp_unconfigured', 'an SMTP server is no longer configured for this e-mail');
      return await handOverInTurn(message, target, deps, signal);
    },
  };
}

/** Delivers an e-mail, unless its account is paused or no permit is free. */
async function handOverInTurn(
  message: Claimed,
  target: SmtpTarget,
  deps: SmtpDeps,
  signal: AbortSignal,
): Promise<Delivery> {
  const payload = message.payload as EmailPayload;
  const { pressure, pauses } = deps;
  const server = `${target.host}:${target.port}`;
  const account = { key: accountKey(target), name: target.credentials?.username ?? '', server };
  const ofSender = { ...account, key: `${account.key} ${payload.from}` };
  for (const { key } of [account, ofSender]) {
    const pauseMs = pauses.waitMs(key);
    if (pauseMs > 0) return held(`${REFUSED_ACCOUNT}: ${pauses.reasonOf(key)}`, pauseMs);
  }
  const destination = { server, client: payload.server.kind === 'default' ? null : `${message.clientId}` };
  const waitMs = pressure.enter(destination);
  if (waitMs > 0) return held('waits for other e-mails to the same server', waitMs);
  let delivery: Delivery | null = null;
  try {
    delivery = await handOver(payload, target, deps, signal);
    const refusal = accountRefusal(delivery);
    if (refusal) pauses.refused(refusal.isOfSender ? ofSender : account, refusal.reason);
    else if (delivery.outcome === 'sent') for (const each of [account, ofSender]) pauses.accepted(each);
    return delivery;
  } finally {
    pressure.leave(destination, delivery === null || isServerFailure(delivery));
  }
}

async function handOver(
  payload: EmailPayload,
  target: SmtpTarget,
  { contents, pools }: SmtpDeps,
  signal: AbortSignal,
): Promise<Delivery> {
  const content = await contents.find(payload.contentId);
  if (!content) return refused('content_missing', 'the content of this e-mail is no longer kept');
  const to = payload.recipients.filter(({ status }) => status === 'Queued').map(({ address }) => address);
  const limited = limitTime(signal);
  try {
    const replies = await pools
      .pool(target)
      .send({ from: payload.from, to, content, signal: limited.signal });
    return withoutCredentials(outcomeOf(payload, replies), target);
  } catch (error) {
    if (signal.aborted) throw error;
    return withoutCredentials(outcomeOfError(payload, error, payload.server.kind !== 'caller'), target);
  } finally {
    limited.stop();
  }
}

/**
 * Returns a signal that is aborted with `signal`, or after `MAX_MS`. Not with `AbortSignal.timeout`, whose timers
 * would outlive thousands of deliveries.
 */
function limitTime(signal: AbortSignal) {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, MAX_MS);
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  return {
    signal: controller.signal,
    stop() {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    },
  };
}

/** @returns null when the server's or the client's settings no longer name an SMTP server */
async function targetOf(
  message: Claimed,
  { server }: EmailPayload,
  { account, dkim, clients }: SmtpDeps,
): Promise<SmtpTarget | null> {
  switch (server.kind) {
    case 'default':
      return account && { ...account, address: null, dkim };
    case 'client': {
      const own = message.clientId === null ? null : await clients.smtp(message.clientId);
      return own && { ...own, verifyTls: true, address: null, dkim: null };
    }
    case 'caller': {
      const { host, addresses, port, security } = server;
      const credentials =
        message.secret === null ? null : (JSON.parse(message.secret) as SmtpAccount['credentials']);
      // Another address at each attempt, in case one is down.
      const address = addresses[message.attempts % Math.max(1, addresses.length)] ?? null;
      return { host, port, security, verifyTls: true, credentials, address, dkim: null };
    }
  }
}

/** Fields of a delivery, at any depth, that hold replies of the server. */
const REPLIES: readonly string[] = ['reason', 'response', 'error'];

/** Returns the response of the SASL mechanism PLAIN (RFC 4616 §2), which servers receive in base64. */
export function plainResponse({ username, password }: { username: string; password: string }): string {
  return `\0${username}\0${password}`;
}

/** Removes the credentials from replies of the server, which may repeat them. */
function withoutCredentials(delivery: Delivery, { credentials }: SmtpTarget): Delivery {
  if (!credentials) return delivery;
  const secrets = [credentials.password, plainResponse(credentials)];
  const clean = (key: string, value: unknown) =>
    REPLIES.includes(key) && typeof value === 'string'
      ? hideSecrets(withoutCutSecret(value, secrets), secrets)
      : value;
  return JSON.parse(JSON.stringify(delivery), clean) as Delivery;
}

/** Removes the beginning of a secret at the end of a reply that was cut there. */
function withoutCutSecret(text: string, secrets: readonly string[]): string {
  if (text.length < MAX_REASON_LENGTH) return text;
  const lengths = formsOf(secrets).map((form) => {
    let length = form.length;
    while (!text.endsWith(form.slice(0, length))) length--;
    return length;
  });
  return text.slice(0, text.length - Math.max(0, ...lengths));
}
