import { join } from 'node:path';

/** An SMTP server in a separate process that accepts and discards e-mails. */
export interface Sink {
  port: number;
  /** The settings of a server that sends its e-mails there. */
  settings: Record<string, string>;
  reset(): Promise<void>;
  /** Returns the number of e-mails, and the time between the first and the last. */
  arrivals(): Promise<Arrivals>;
  stop(): void;
}

interface Arrivals {
  arrived: number;
  seconds: number;
}

export async function startSink(): Promise<Sink> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'smtp-sink.ts')], {
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const { value } = await child.stdout.getReader().read();
  const [smtp = 0, control = 0] = new TextDecoder().decode(value).trim().split(' ').map(Number);
  const get = async (path: string) =>
    (await (await fetch(`http://127.0.0.1:${control}/${path}`)).json()) as Arrivals;
  return {
    port: smtp,
    settings: {
      POSTHOUSE_SMTP_URL: `smtp://127.0.0.1:${smtp}?tls=none`,
      POSTHOUSE_MAIL_FROM: 'Bench <bench@example.org>',
    },
    async reset() {
      await get('reset');
    },
    arrivals: () => get('stats'),
    stop: () => child.kill(),
  };
}
