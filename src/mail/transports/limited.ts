import type { Transport } from '../../kernel/outbox/message.ts';
import { HELD } from '../../kernel/outbox/settling.ts';
import type { Usage } from '../usage.ts';

/** The same transport, holding what is beyond its client's limits. A message counts once, however often it is tried or held. */
export function limited(transport: Transport, usage: Usage): Transport {
  return {
    ...transport,
    async deliver(message, signal) {
      if (message.clientId === null || message.attempts > 0) return await transport.deliver(message, signal);
      const wait = await usage.take(message.clientId, message.errorCode === HELD);
      if (wait) return { outcome: 'held', ...wait };
      const delivery = await transport.deliver(message, signal);
      if (delivery.outcome === 'held') await usage.giveBack(message.clientId);
      return delivery;
    },
  };
}
