import { join } from 'node:path';
import { cpuSeconds } from './cpu.ts';

/** A server of another checkout of this repository, in a separate process. */
export interface CheckoutServer {
  port: number;
  /** Returns the CPU time that the process has used, in seconds. */
  cpuSeconds(): number;
  /** Runs a command with the settings of the server and returns its JSON output. */
  run<Output>(...words: string[]): Promise<Output>;
  stop(): Promise<void>;
}

/** Starts the server of the checkout in `directory` on a free port. */
export async function startCheckout(
  directory: string,
  settings: Record<string, string>,
): Promise<CheckoutServer> {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, PORT: '0', ...settings };
  const main = join(directory, 'src/main.ts');
  const child = Bun.spawn([process.execPath, main, 'serve'], { env, stdout: 'pipe', stderr: 'inherit' });
  const port = await portIn(child.stdout);
  return {
    port,
    cpuSeconds: () => cpuSeconds(child.pid),
    async run<Output>(...words: string[]) {
      const command = Bun.spawn([process.execPath, main, ...words, '--json'], { env, stdout: 'pipe' });
      const output = await new Response(command.stdout).text();
      if ((await command.exited) !== 0) throw new Error(`posthouse ${words.join(' ')} failed: ${output}`);
      return JSON.parse(output) as Output;
    },
    async stop() {
      child.kill('SIGTERM');
      await child.exited;
    },
  };
}

/** Reads standard output until the address of the server is printed, and drains the rest. */
async function portIn(output: ReadableStream<Uint8Array>): Promise<number> {
  const reader = output.getReader();
  const decoder = new TextDecoder();
  let printed = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`the server ended before it was ready:\n${printed}`);
    printed += decoder.decode(value, { stream: true });
    const port = /ready at http:\/\/\S+:(\d+)/.exec(printed)?.[1];
    if (port === undefined) continue;
    void (async () => {
      while (!(await reader.read()).done);
    })();
    return Number(port);
  }
}
