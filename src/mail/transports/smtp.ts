import type { Clock } from '../../kernel/clock.ts';
import type { Claimed, Delivery, Transport } from '../../kernel/outbox/message.ts';
import type { Clients, SmtpAccount } from '../clients.ts';
import type { Contents } from '../contents.ts';
import type { EmailPayload } from '../payload.ts';
import { isServerTrouble, outcomeOf, outcomeOfError } from './outcome.ts';
import type { Dkim, Pools, SmtpTarget } from './pools.ts';
import type { Pressure } from './pressure.ts';

export const EMAIL_KIND = 'email';

const CONCURRENCY = 40;
/** Of the places of delivery, for one server of a caller or a client. */
const PLACES_EACH = 10;

/** The server's own SMTP server, of which alone the operator may say that its certificate is not to be verified. */
export type ServerAccount = SmtpAccount & Pick<SmtpTarget, 'verifyTls'>;

interface SmtpParts {
  /** The server's own SMTP server; null = sandbox. */
  account: ServerAccount | null;
  dkim: Dkim | null;
  clients: Clients;
  contents: Contents;
  pools: Pools;
  pressure: Pressure;
  clock: Clock;
}

/** Delivers mails over SMTP; those of the sandbox stay here. */
export function createSmtpTransport({ account, dkim, clients, contents, pools, pressure, clock }: SmtpParts): Transport {
  return {
    kind: EMAIL_KIND,
    concurrency: CONCURRENCY,
    about(payload) {
      const { subject, recipients } = payload as EmailPayload;
      return { title: subject, to: recipients.map(({ address }) => address) };
    },
    async deliver(message, signal) {
      const payload = message.payload as EmailPayload;
      if (message.sandbox) return keptHere(payload);
      if (payload.server.kind === 'caller' && payload.server.signsIn && message.secret === null)
        return { outcome: 'refused', code: 'password_erased', reason: 'the SMTP password of the first sending is no longer kept' };
      const target = await targetOf(message, payload);
      if (!target) return { outcome: 'later', code: 'smtp_unconfigured', reason: 'no SMTP server is configured for this mail any more' };
      const server = `${target.host}:${target.port}`;
      const wait = pressure.enter(server, payload.server.kind === 'default' ? CONCURRENCY : PLACES_EACH);
      if (wait > 0) return { outcome: 'held', reason: 'waits for other mails to the same server', untilMs: clock.now() + wait };
      let delivery: Delivery | null = null;
      try {
        delivery = await handOver(payload, target, signal);
        return delivery;
      } finally {
        pressure.leave(server, delivery === null || isServerTrouble(delivery));
      }
    },
  };

  async function handOver(payload: EmailPayload, target: SmtpTarget, signal: AbortSignal): Promise<Delivery> {
    const mime = await contents.find(payload.contentId);
    if (!mime) return { outcome: 'refused', code: 'content_missing', reason: 'the content of this mail is no longer kept' };
    const to = payload.recipients.filter(({ status }) => status === 'Queued').map(({ address }) => address);
    try {
      return withoutCredentials(outcomeOf(payload, await pools.pool(target).send({ from: payload.from, to, mime, signal })), target);
    } catch (error) {
      if (signal.aborted) throw error;
      return withoutCredentials(outcomeOfError(payload, error, payload.server.kind !== 'caller'), target);
    }
  }

  async function targetOf(message: Claimed, { server }: EmailPayload): Promise<SmtpTarget | null> {
    switch (server.kind) {
      case 'default':
        return account && { ...account, address: null, dkim };
      case 'client': {
        const own = message.clientId === null ? null : await clients.smtp(message.clientId);
        return own && { ...own, verifyTls: true, address: null, dkim: null };
      }
      case 'caller': {
        const { host, addresses, port, security } = server;
        const credentials = message.secret === null ? null : (JSON.parse(message.secret) as SmtpAccount['credentials']);
        // Another address at each attempt, in case one is down.
        const address = addresses[message.attempts % Math.max(1, addresses.length)] ?? null;
        return { host, port, security, verifyTls: true, credentials, address, dkim: null };
      }
    }
  }
}

function keptHere(payload: EmailPayload): Delivery {
  return { outcome: 'sent', result: { recipients: payload.recipients.map(({ address }) => ({ address, status: 'Sent', error: null })) } };
}

/** A server may repeat what it was told, the password included. */
function withoutCredentials(delivery: Delivery, { credentials }: SmtpTarget): Delivery {
  if (!credentials) return delivery;
  const { username, password } = credentials;
  const secrets = [password, base64(password), base64(`\0${username}\0${password}`)].filter((text) => text.length > 3);
  const clean = (_key: string, value: unknown) =>
    typeof value === 'string' ? secrets.reduce((text, secret) => text.replaceAll(secret, '[hidden]'), value) : value;
  return JSON.parse(JSON.stringify(delivery), clean) as Delivery;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
