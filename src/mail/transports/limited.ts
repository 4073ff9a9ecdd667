import { HELD, type Transport } from '../../kernel/outbox/message.ts';
import type { Usage } from '../usage.ts';

/**
 * Returns a transport that holds messages beyond the limits of their clients. A message counts once, however often it
 * is attempted.
 */
export function limited(transport: Transport, usage: Usage): Transport {
  return {
    ...transport,
    async deliver(message, signal) {
      if (message.clientId === null || message.attempts > 0) return await transport.deliver(message, signal);
      const hold = await usage.take(message.clientId, message.errorCode === HELD);
      if (hold) return hold;
      const delivery = await transport.deliver(message, signal);
      if (delivery.outcome === 'held') await usage.giveBack(message.clientId);
      return delivery;
    },
  };
}
