import { loadOnce } from '../../../kernel/load-once.ts';
import type { HandleTus } from './protocol.ts';
import type { TusDeps } from './tus.ts';

/** Returns the handler of `tus.ts`; the first request loads it with the library of the protocol. */
export function createTusOnDemand(deps: TusDeps): HandleTus {
  const load = loadOnce(async () => (await import('./tus.ts')).createTus(deps));
  return async (request, tusRequest) => await (await load())(request, tusRequest);
}
