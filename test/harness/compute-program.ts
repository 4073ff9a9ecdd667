import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { serveJobs } from '../../src/kernel/compute/child.ts';
import { invalidField } from '../../src/kernel/problem.ts';

/** The jobs of the pool's tests: `{ do: name, … }`. */
interface Job {
  do: keyof typeof JOBS;
  bytes?: number;
  path?: string;
  port?: number;
  pid?: number;
}

const JOBS = {
  echo: (job: Job, blobs: readonly Uint8Array[]) => ({ value: job, blobs }),
  pid: () => ({ value: process.pid }),
  args: () => ({ value: args }),
  environment: () => ({ value: Object.keys(process.env) }),
  spin: () => {
    for (;;);
  },
  grow: () => {
    const kept: Uint8Array[] = [];
    for (;;) kept.push(new Uint8Array(1_000_000).fill(1));
  },
  output: ({ bytes = 0 }: Job) => ({ value: null, blobs: [new Uint8Array(bytes)] }),
  exit: () => process.exit(3),
  crash: () => process.kill(process.pid, 'SIGSEGV') && new Promise<never>(() => {}),
  killed: () => process.kill(process.pid, 'SIGKILL') && new Promise<never>(() => {}),
  noise: () => Bun.write(Bun.stdout, 'x'.repeat(100)).then(() => new Promise<never>(() => {})),
  problem: () => {
    throw invalidField('Body', 'is wrong');
  },
  error: () => {
    throw new Error('a bug');
  },
  user: () => ({ value: [process.getuid?.(), process.getgid?.(), process.getgroups?.()] }),
  read: ({ path = '' }: Job) => ({ value: readFileSync(path, 'utf8') }),
  list: ({ path = '' }: Job) => ({ value: readdirSync(path) }),
  follow: ({ path = '' }: Job) => ({ value: readlinkSync(path) }),
  write: ({ path = '' }: Job) => ({ value: writeFileSync(path, 'x') }),
  connect: ({ port = 0 }: Job) =>
    new Promise<{ value: string }>((resolve, reject) => {
      connect(port, '127.0.0.1', () => resolve({ value: 'connected' })).once('error', reject);
    }),
  resolve: async () => ({ value: await Bun.dns.lookup('localhost') }),
  listen: () => ({ value: Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } }).port }),
  start: () => ({ value: Bun.spawnSync(['/bin/true']).exitCode }),
  signal: ({ pid = 0 }: Job) => ({ value: process.kill(pid, 0) }),
  thread: () =>
    new Promise<{ value: unknown }>((resolve) => {
      const url = URL.createObjectURL(new Blob(['postMessage(6 * 7)'], { type: 'text/javascript' }));
      new Worker(url).onmessage = ({ data }) => resolve({ value: data });
    }),
};

let args: string[] = [];

await serveJobs((given) => {
  args = given;
  return async ({ value, blobs = [] }) => await JOBS[(value as Job).do](value as Job, blobs);
});
