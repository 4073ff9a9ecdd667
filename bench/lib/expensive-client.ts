import { EXPENSIVE, type ExpensiveKind, type Target } from './expensive.ts';

/** Repeats an expensive request without pause: `expensive-client.ts KIND TARGET`. Prints its requests per second. */
const [kind, target] = process.argv.slice(2);
const PERIOD_MS = 1_000;

const send = await EXPENSIVE[kind as ExpensiveKind](JSON.parse(target ?? '') as Target);
let count = 0;
let since = performance.now();

setInterval(() => {
  const now = performance.now();
  process.stdout.write(`${((count * 1_000) / (now - since)).toFixed(2)}\n`);
  count = 0;
  since = now;
}, PERIOD_MS);

/** Runs twice concurrently, so that the server always has a request. */
async function repeat(): Promise<never> {
  for (;;) {
    const answer = await send();
    await answer.arrayBuffer();
    count++;
  }
}

await Promise.all([repeat(), repeat()]);
