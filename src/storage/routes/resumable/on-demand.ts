import type { AnswerTus } from './protocol.ts';
import type { TusDeps } from './tus.ts';

/** Returns the handler of `tus.ts`; the first request loads it with the library of the protocol. */
export function createTusOnDemand(deps: TusDeps): AnswerTus {
  let loading: Promise<AnswerTus> | undefined;
  const load = async () => (await import('./tus.ts')).createTus(deps);
  return async (request, tusRequest) => {
    loading ??= load();
    return await (await loading)(request, tusRequest);
  };
}
