import { isIP } from 'node:net';
import { createTransport } from 'nodemailer';
import { type Clock, MINUTE, SECOND } from '../../kernel/clock.ts';
import { hashToken } from '../../kernel/crypto/vault.ts';
import type { SmtpAccount } from '../clients.ts';

/** One SMTP server, as a mail is to reach it. */
export interface SmtpTarget extends SmtpAccount {
  /** False = any certificate will do. */
  verifyTls: boolean;
  /** The checked address to connect to; null = resolve the host's name. */
  address: string | null;
  /** Signs what goes over this server; null = unsigned. */
  dkim: Dkim | null;
}

export interface Dkim {
  domain: string;
  selector: string;
  /** PEM. */
  privateKey: string;
}

/** What a delivery needs of the mail. */
export interface Handover {
  from: string;
  to: readonly string[];
  mime: Buffer;
  signal: AbortSignal;
}

/** What the server said of each recipient, and in the end. */
export interface Accepted {
  refused: readonly { address: string; code: number; response: string }[];
  response: string;
}

export interface Pool {
  /** @throws nodemailer's error, for `outcome.ts` to judge */
  send(mail: Handover): Promise<Accepted>;
}

export interface Pools {
  pool(target: SmtpTarget): Pool;
  /** Closes those that were not used for a while. */
  sweep(): void;
  close(): void;
}

const CONNECTIONS = 10;
const IDLE_MS = MINUTE;
const TIMEOUTS = {
  connectionTimeout: 20 * SECOND,
  greetingTimeout: 30 * SECOND,
  dnsTimeout: 10 * SECOND,
  // RFC 5321 §4.5.3.2 asks for 5 minutes at most steps; the end of the data may take longer and is then tried again under the same Message-ID.
  socketTimeout: 5 * MINUTE,
  idleTimeout: 30 * SECOND,
};

/**
 * Kept connections, a pool for each server and its credentials. Retries are the outbox's affair, so the library makes none.
 * @param name what we call ourselves in EHLO
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

/** How a server is connected to, in the library's words. */
function connectionOf({ host, address, port, security, verifyTls, credentials }: SmtpTarget, name: string) {
  return {
    name,
    host: address ?? host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    tls: { rejectUnauthorized: verifyTls, minVersion: 'TLSv1.2' as const, ...(isIP(host) ? {} : { servername: host }) },
    ...(credentials ? { auth: { user: credentials.username, pass: credentials.password } } : {}),
    ...TIMEOUTS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Connects, and signs in where there are credentials. @throws Error of the library, when the server does not let us send */
export async function tryServer(target: SmtpTarget, name: string): Promise<void> {
  const transporter = createTransport(connectionOf(target, name));
  try {
    await transporter.verify();
  } finally {
    transporter.close();
  }
}

function openPool(target: SmtpTarget, name: string, clock: Clock) {
  const { dkim } = target;
  const transporter = createTransport({
    pool: true,
    ...connectionOf(target, name),
    ...(dkim ? { dkim: { domainName: dkim.domain, keySelector: dkim.selector, privateKey: dkim.privateKey } } : {}),
    maxConnections: CONNECTIONS,
    maxMessages: Number.POSITIVE_INFINITY,
    maxRequeues: 0,
  });
  // Errors of idle connections: the next mail opens another.
  transporter.on('error', () => {});
  let lastUsed = clock.now();
  let underWay = 0;
  return {
    async send({ from, to, mime, signal }: Handover): Promise<Accepted> {
      underWay++;
      try {
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
    close: () => transporter.close(),
  };
}
