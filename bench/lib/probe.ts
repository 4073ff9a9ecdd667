export interface Measured {
  /** 99th percentile of the time to the whole response, ms. */
  p99: number;
  perSecond: number;
}

/** Repeats a request on two connections until `isOver` returns true. @param pauseMs pause between requests of one */
export async function probe(url: string, isOver: () => boolean, pauseMs = 0): Promise<Measured> {
  const times: number[] = [];
  const started = performance.now();
  const repeat = async () => {
    while (!isOver()) {
      const begun = performance.now();
      const answer = await fetch(url);
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`${url} was answered with status ${answer.status}`);
      times.push(performance.now() - begun);
      if (pauseMs > 0) await Bun.sleep(pauseMs);
    }
  };
  await Promise.all([repeat(), repeat()]);
  const p99 = times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
  return { p99, perSecond: (times.length * 1_000) / (performance.now() - started) };
}

/** Returns a function that returns true after `ms`. */
export function after(ms: number): () => boolean {
  const end = performance.now() + ms;
  return () => performance.now() >= end;
}
