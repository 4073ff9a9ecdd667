import { SECOND } from '../../kernel/clock.ts';
import { throwUnlessUnavailable } from '../../kernel/errors/unavailable.ts';
import { HELD, held, type Transport } from '../../kernel/outbox/message.ts';
import type { Usage } from '../clients/usage.ts';

/** Time after which a message that could not be counted is tried again. */
const UNCOUNTED_MS = SECOND;

/**
 * Returns a transport that holds messages beyond the limits of their clients. A message counts once, however often it
 * is attempted. A failure of the database is not an attempt.
 */
export function limited(transport: Transport, usage: Usage): Transport {
  return {
    ...transport,
    async deliver(message, signal) {
      if (message.clientId === null || message.attempts > 0) return await transport.deliver(message, signal);
      const { clientId } = message;
      const { hold, periods } = await usage.take(clientId, message.errorCode === HELD).catch(uncounted);
      if (hold) return hold;
      const delivery = await transport.deliver(message, signal);
      if (delivery.outcome === 'held') await usage.giveBack(clientId, periods).catch(throwUnlessUnavailable);
      return delivery;
    },
  };
}

/** @throws `error` when it is not a failure of the database */
function uncounted(error: unknown) {
  throwUnlessUnavailable(error);
  return { hold: held('waits: the database could not count the message', UNCOUNTED_MS), periods: [] };
}
