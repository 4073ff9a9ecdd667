import { type Clock, MINUTE, SECOND } from '../../kernel/clock.ts';
import { hashToken } from '../../kernel/crypto/vault.ts';
import { parseAddress } from '../../kernel/ip.ts';
import type { SmtpAccount } from '../client-settings.ts';

/** An SMTP server and how to connect to it. */
export interface SmtpTarget extends SmtpAccount {
  /** False = any certificate is accepted. */
  verifyTls: boolean;
  /** The checked address to connect to; null = resolve the host's name. */
  address: string | null;
  /** Signature of the mails over this server; null = unsigned. */
  dkim: Dkim | null;
}

export interface Dkim {
  domain: string;
  selector: string;
  /** PEM. */
  privateKey: string;
}

/** The mail of a delivery. */
export interface Handover {
  from: string;
  to: readonly string[];
  mime: Buffer;
  signal: AbortSignal;
}

/** The server's replies: to refused recipients, and to the mail. */
export interface Accepted {
  refused: readonly { address: string; code: number; response: string }[];
  /** Undefined = the mail was not handed over (sandbox). */
  response?: string;
}

export interface Pool {
  /** @throws nodemailer's error, which `outcome.ts` maps */
  send(mail: Handover): Promise<Accepted>;
}

export interface Pools {
  pool(target: SmtpTarget): Pool;
  /** Closes the pools that are idle. */
  sweep(): void;
  close(): void;
}

const CONNECTIONS = 10;
const IDLE_MS = MINUTE;
const TIMEOUTS = {
  connectionTimeout: 20 * SECOND,
  greetingTimeout: 30 * SECOND,
  dnsTimeout: 10 * SECOND,
  // RFC 5321 §4.5.3.2 requires 5 minutes at most steps; a longer end of the data is attempted again with the same
  // Message-ID.
  socketTimeout: 5 * MINUTE,
  idleTimeout: 30 * SECOND,
};

/**
 * Keeps connections, in a pool per server and credentials. The library makes no retries; the outbox does.
 * @param name of this server in EHLO
 */
export function createPools({ clock, name }: { clock: Clock; name: string }): Pools {
  const pools = new Map<string, ReturnType<typeof openPool>>();
  return {
    pool(target) {
      const key = keyOf(target);
      const pool = pools.get(key) ?? openPool(target, name, clock);
      pools.set(key, pool);
      return pool;
    },
    sweep() {
      for (const [key, pool] of pools) {
        if (!pool.isIdle()) continue;
        pools.delete(key);
        pool.close();
      }
    },
    close() {
      for (const pool of pools.values()) pool.close();
      pools.clear();
    },
  };
}

function keyOf({ host, address, port, security, verifyTls, credentials, dkim }: SmtpTarget): string {
  return hashToken(JSON.stringify([host, address, port, security, verifyTls, credentials, dkim]));
}

/** Returns the library's options for a connection. */
function connectionOf({ host, address, port, security, verifyTls, credentials }: SmtpTarget, name: string) {
  return {
    name,
    host: address ?? host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    tls: {
      rejectUnauthorized: verifyTls,
      minVersion: 'TLSv1.2' as const,
      ...(parseAddress(host) ? {} : { servername: host }),
    },
    ...(credentials && { auth: { user: credentials.username, pass: credentials.password } }),
    ...TIMEOUTS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Connects, and signs in with the credentials, if any. @throws Error of the library when the server refuses */
export async function tryServer(target: SmtpTarget, name: string): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const transporter = createTransport(connectionOf(target, name));
  try {
    await transporter.verify();
  } finally {
    transporter.close();
  }
}

/** The library's pool of connections to `target`. */
async function openTransporter(target: SmtpTarget, name: string) {
  const { createTransport } = await import('nodemailer');
  const { dkim } = target;
  const transporter = createTransport({
    pool: true,
    ...connectionOf(target, name),
    ...(dkim && {
      dkim: { domainName: dkim.domain, keySelector: dkim.selector, privateKey: dkim.privateKey },
    }),
    maxConnections: CONNECTIONS,
    maxMessages: Number.POSITIVE_INFINITY,
    maxRequeues: 0,
  });
  // Errors of idle connections: the next mail opens another.
  transporter.on('error', () => {});
  return transporter;
}

function openPool(target: SmtpTarget, name: string, clock: Clock) {
  const opening = openTransporter(target, name);
  // The error of a failed opening reaches the sender, who awaits it too.
  opening.catch(() => {});
  let lastUsed = clock.now();
  let underWay = 0;
  return {
    async send({ from, to, mime, signal }: Handover): Promise<Accepted> {
      underWay++;
      try {
        const transporter = await opening;
        const info = await transporter.sendMail({ envelope: { from, to: [...to] }, raw: mime, signal });
        return {
          response: info.response,
          refused: (info.rejectedErrors ?? []).map((error) => ({
            address: String(error.recipient ?? ''),
            code: error.responseCode ?? 0,
            response: error.response ?? error.message,
          })),
        };
      } finally {
        underWay--;
        lastUsed = clock.now();
      }
    },
    isIdle: () => underWay === 0 && clock.now() - lastUsed > IDLE_MS,
    close() {
      opening.then((transporter) => transporter.close()).catch(() => {});
    },
  };
}
