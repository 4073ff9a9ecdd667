import { Readable } from 'node:stream';
import { type Clock, MINUTE, SECOND } from '../../kernel/clock.ts';
import { digestOf } from '../../kernel/crypto/digest.ts';
import { parseAddress } from '../../kernel/ip.ts';
import { steadyClock } from '../../kernel/limits/steady-clock.ts';
import type { SmtpAccount } from '../clients/client-settings.ts';
import type { StoredMailBytes } from '../contents.ts';
import { loadSmtp } from './smtp-library.ts';
import { needsUtf8, offersUtf8, UTF8_REFUSED } from './smtp-utf8.ts';

/** An SMTP server and how to connect to it. */
export interface SmtpTarget extends SmtpAccount {
  /** False = any certificate is accepted. */
  verifyTls: boolean;
  /** The checked address to connect to; null = resolve the host's name. */
  address: string | null;
  /** Signature of the e-mails over this server; null = unsigned. */
  dkim: Dkim | null;
}

export interface Dkim {
  domain: string;
  selector: string;
  /** PEM. */
  privateKey: string;
}

/** An e-mail to send, with its envelope. */
export interface Handover {
  from: string;
  to: readonly string[];
  content: StoredMailBytes;
  signal: AbortSignal;
}

/** The server's replies: to refused recipients, and to the e-mail. */
export interface Accepted {
  refused: readonly { address: string; code: number; response: string }[];
  /** Undefined = the e-mail was not sent (sandbox). */
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
/** Maximum number of connections of all pools in which no e-mail is under way, when another e-mail is sent. */
const MAX_IDLE_CONNECTIONS = 50;
const IDLE_MS = MINUTE;
const TIMEOUTS = {
  connectionTimeout: 20 * SECOND,
  greetingTimeout: 30 * SECOND,
  dnsTimeout: 10 * SECOND,
  // RFC 5321 §4.5.3.2 requires 5 minutes at most steps, and 10 at the end of the data: an e-mail that times out there
  // is sent again with the same Message-ID.
  socketTimeout: 5 * MINUTE,
  idleTimeout: 30 * SECOND,
};

/**
 * Keeps connections, in a pool per server and credentials. The library makes no retries; the outbox does.
 * @param name of this server in EHLO
 */
export function createPools({ name, ...deps }: { clock: Clock; name: string }): Pools {
  const clock = steadyClock(deps.clock);
  /** In the order of their last use. */
  const pools = new Map<string, ReturnType<typeof openPool>>();
  const close = (key: string) => {
    pools.get(key)?.close();
    pools.delete(key);
  };

  /** Closes the pools that are unused for the longest time, since callers can use a new one for each e-mail. */
  function closeExcess(): void {
    let idle = 0;
    for (const [key, pool] of [...pools].reverse()) {
      if (pool.isInUse()) continue;
      idle += pool.connections();
      if (idle > MAX_IDLE_CONNECTIONS) close(key);
    }
  }

  return {
    pool(target) {
      const key = accountKey(target);
      const pool = pools.get(key) ?? openPool(target, name, clock);
      pools.delete(key);
      pools.set(key, pool);
      closeExcess();
      return pool;
    },
    sweep() {
      for (const [key, pool] of pools) if (pool.isIdle()) close(key);
    },
    close() {
      for (const pool of pools.values()) pool.close();
      pools.clear();
    },
  };
}

/** Returns the same key for e-mails over the same server with the same credentials and signature. */
export function accountKey({
  host,
  address,
  port,
  security,
  verifyTls,
  credentials,
  dkim,
}: SmtpTarget): string {
  return digestOf(JSON.stringify([host, address, port, security, verifyTls, credentials, dkim]));
}

/** Maximum size of a reply. One is in memory for each recipient, and RFC 5321 §4.5.3.1.5 allows lines of 512 bytes. */
const MAX_RESPONSE_BYTES = 65_536;

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
    // Without `forceAuth`, the library would send without a sign-in to a server that does not offer it.
    ...(credentials && {
      auth: { user: credentials.username, pass: credentials.password },
      forceAuth: true,
    }),
    ...TIMEOUTS,
    maxResponseSize: MAX_RESPONSE_BYTES,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** The header fields that a signature covers (RFC 6376 §5.4.1), with both of RFC 8058 §4. */
const SIGNED = [
  'From:Sender:Reply-To:Subject:Date:Message-ID:To:Cc:In-Reply-To:References',
  'MIME-Version:Content-Type:Content-Transfer-Encoding:Content-ID:Content-Description',
  'Resent-Date:Resent-From:Resent-Sender:Resent-To:Resent-Cc:Resent-Message-ID',
  'List-Id:List-Help:List-Unsubscribe:List-Unsubscribe-Post:List-Subscribe:List-Post:List-Owner:List-Archive',
].join(':');

/** Connects, and signs in with the credentials, if any. @throws Error of the library when the server refuses */
export async function tryServer(target: SmtpTarget, name: string): Promise<void> {
  const { createTransport } = await loadSmtp();
  const transporter = createTransport(connectionOf(target, name));
  try {
    await transporter.verify();
  } finally {
    transporter.close();
  }
}

/** Opens the library's pool of connections to `target`. */
async function openTransporter(target: SmtpTarget, name: string) {
  const { createTransport } = await loadSmtp();
  const { dkim } = target;
  const transporter = createTransport({
    pool: true,
    ...connectionOf(target, name),
    ...(dkim && {
      dkim: {
        domainName: dkim.domain,
        keySelector: dkim.selector,
        privateKey: dkim.privateKey,
        headerFieldNames: SIGNED,
      },
    }),
    maxConnections: CONNECTIONS,
    maxMessages: Number.POSITIVE_INFINITY,
    maxRequeues: 0,
  });
  // Errors of idle connections: the next e-mail opens another.
  transporter.on('error', () => {});
  return transporter;
}

function openPool(target: SmtpTarget, name: string, clock: Clock) {
  const opening = openTransporter(target, name);
  // The error of a failed opening is reported to the sender, which awaits it too.
  opening.catch(() => {});
  let lastUsed = clock.now();
  let underWay = 0;
  let mostUnderWay = 0;
  let utf8: boolean | undefined;

  /** Returns the addresses that need SMTPUTF8 if the server does not offer it. */
  async function withoutUtf8(addresses: readonly string[], signal: AbortSignal): Promise<string[]> {
    const found = addresses.filter(needsUtf8);
    if (found.length > 0) utf8 ??= await offersUtf8(connectionOf(target, name), signal);
    return utf8 ? [] : found;
  }

  return {
    async send({ from, to, content: { size, mime }, signal }: Handover): Promise<Accepted> {
      mostUnderWay = Math.max(mostUnderWay, ++underWay);
      try {
        const transporter = await opening;
        const unsupported = await withoutUtf8([from, ...to], signal);
        const taken = to.filter((address) => !unsupported.includes(address));
        const refused = unsupported.map((address) => ({ address, ...UTF8_REFUSED }));
        if (unsupported.includes(from) || taken.length === 0)
          return { refused: to.map((address) => ({ address, ...UTF8_REFUSED })) };
        const envelope = { from, to: taken, size };
        const raw = Buffer.isBuffer(mime) ? mime : Readable.from(mime, { objectMode: false });
        const info = await transporter.sendMail({ envelope, raw, signal });
        for (const error of info.rejectedErrors ?? []) {
          const { recipient, responseCode, response, message } = error;
          refused.push({
            address: String(recipient ?? ''),
            code: responseCode ?? 0,
            response: response ?? message,
          });
        }
        return { response: info.response, refused };
      } finally {
        underWay--;
        lastUsed = clock.now();
      }
    },
    isInUse: () => underWay > 0,
    /** Returns the maximum number of connections that are open. */
    connections: () => Math.min(mostUnderWay, CONNECTIONS),
    isIdle: () => underWay === 0 && clock.now() - lastUsed > IDLE_MS,
    close() {
      opening.then((transporter) => transporter.close()).catch(() => {});
    },
  };
}
