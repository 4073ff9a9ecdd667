import type { ClientWork } from './four-clients.ts';
import { run } from './load.ts';
import { headOf } from './request.ts';

/** Sends requests of one kind over four connections: `load-client.ts SECONDS < WORK`. Prints its requests per second. */
const CONNECTIONS = 4;
/** Time in which the other clients start as well. */
const SETTLE_SECONDS = 0.5;

const seconds = Number(process.argv[2]);
const { port, line, fields = {}, body, expect } = (await Bun.stdin.json()) as ClientWork;
// Equal messages would be repeats: other processes start at another time.
let number = Date.now() * 1_000;

function head(): string {
  const text = body.replace('{number}', String(number++));
  return headOf(line, { ...fields, ...(body && { 'Content-Length': Buffer.byteLength(text) }) }) + text;
}

const load = { port, connections: CONNECTIONS, requests: Number.POSITIVE_INFINITY, head, expect };
await run({ ...load, seconds: SETTLE_SECONDS });
const { requestsPerSecond } = await run({ ...load, seconds });
process.stdout.write(String(requestsPerSecond));
