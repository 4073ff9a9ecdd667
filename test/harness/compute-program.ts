import { serveJobs } from '../../src/kernel/compute/child.ts';
import { invalidField } from '../../src/kernel/problem.ts';

/** The jobs of the pool's tests: `{ do: name, … }`. */
interface Job {
  do: keyof typeof JOBS;
  bytes?: number;
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
  noise: () => Bun.write(Bun.stdout, 'x'.repeat(100)).then(() => new Promise<never>(() => {})),
  problem: () => {
    throw invalidField('Body', 'is wrong');
  },
  error: () => {
    throw new Error('a bug');
  },
};

let args: string[] = [];

await serveJobs((given) => {
  args = given;
  return async ({ value, blobs = [] }) => await JOBS[(value as Job).do](value as Job, blobs);
});
