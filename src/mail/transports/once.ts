import { SECOND } from '../../kernel/clock.ts';
import { type Delivery, refused, type Transport } from '../../kernel/outbox/message.ts';

type Failure = Extract<Delivery, { outcome: 'later' | 'refused' }>;

/** Remedies by the text of an error. `$1` is the group of the pattern. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/(?:ENOTFOUND|EAI_AGAIN) (\S+)/, '“$1” has no address in DNS. Check the host.'],
  [/ECONNREFUSED (\S+)/, '$1 accepts no connections. Check host and port.'],
  [
    /ETIMEDOUT|timeout|timed out|EHOSTUNREACH|ENETUNREACH/i,
    'The server does not respond. Check host, port and firewall.',
  ],
  [
    /wrong version number|WRONG_VERSION/i,
    'The server does not speak TLS on this port. Check port and security.',
  ],
];
const REMEDIES_BY_CODE: Readonly<Record<string, string>> = {
  smtp_tls: 'The server offers no trustworthy encryption. Check its certificate and the security.',
  smtp_sign_in: 'The server refused the user name or password.',
  telegram_sign_in: 'Telegram refused the bot token.',
};

/** Longest wait for the limits of a platform before the single attempt. */
const MAX_WAIT_MS = 10 * SECOND;

/**
 * Returns a transport that attempts messages with `once` in their payload only once; their errors have remedies.
 */
export function triedOnce(transport: Transport): Transport {
  return {
    ...transport,
    async deliver(message, signal) {
      const delivery = await transport.deliver(message, signal);
      const { once = false } = message.payload as { once?: true };
      if (!once) return delivery;
      if (delivery.outcome === 'held')
        return delivery.retryAfterMs <= MAX_WAIT_MS
          ? delivery
          : refused('held', `Not tried: ${delivery.reason}. Try again later.`);
      if (delivery.outcome !== 'later' && delivery.outcome !== 'refused') return delivery;
      return refused(delivery.code, reasonWithRemedy(delivery), delivery.result);
    },
  };
}

/** Returns the remedy of a failure, followed by the peer's message; without a remedy, the message alone. */
export function reasonWithRemedy({ code, reason }: Pick<Failure, 'code' | 'reason'>): string {
  const [pattern, words] = REMEDIES.find(([pattern]) => pattern.test(reason)) ?? [];
  const remedy =
    pattern && words ? pattern.exec(reason)?.[0].replace(pattern, words) : REMEDIES_BY_CODE[code];
  return remedy ? `${remedy} (${reason})` : reason;
}
