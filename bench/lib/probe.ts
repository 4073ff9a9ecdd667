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
  return { p99: p99Of(times), perSecond: (times.length * 1_000) / (performance.now() - started) };
}

/**
 * Sends a request every `periodMs`, whether or not the previous ones have a response: clients that wait for each
 * response send none while the server is blocked, and so miss most of its delays.
 * @returns 99th percentile of the time from when a request is due to the end of its response, ms
 */
export async function delayAtRate(url: string, ms: number, periodMs: number): Promise<number> {
  const times: number[] = [];
  const started = performance.now();
  const send = async (due: number) => {
    const answer = await fetch(url);
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${url} was answered with status ${answer.status}`);
    times.push(performance.now() - due);
  };
  const sent: Promise<void>[] = [];
  for (let due = started; due < started + ms; due += periodMs) {
    await Bun.sleep(Math.max(0, due - performance.now()));
    sent.push(send(due));
  }
  await Promise.all(sent);
  return p99Of(times);
}

function p99Of(times: number[]): number {
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
}

/** Returns a function that returns true after `ms`. */
export function after(ms: number): () => boolean {
  const end = performance.now() + ms;
  return () => performance.now() >= end;
}
