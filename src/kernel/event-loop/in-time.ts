/**
 * Returns the result of `work`, which is not cancelled when it takes longer.
 * @throws the error of `late` when there is no result after `ms`
 */
export async function inTime<Result>(work: Promise<Result>, ms: number, late: () => Error): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const timer = setTimeout(() => reject(late()), ms);
  work.then(resolve, reject);
  return await promise.finally(() => clearTimeout(timer));
}
