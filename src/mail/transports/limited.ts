import type { Transport } from '../../kernel/outbox/message.ts';
import type { Usage } from '../usage.ts';

/** The same transport, holding what is beyond its client's limits. A message counts once, however often it is tried. */
export function limited(transport: Transport, usage: Usage): Transport {
  return {
    ...transport,
    async deliver(message, signal) {
      const wait = message.clientId === null || message.attempts > 0 ? null : await usage.take(message.clientId);
      return wait ? { outcome: 'held', ...wait } : await transport.deliver(message, signal);
    },
  };
}
