import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../test/harness/peers.ts';

/** One nginx worker with sendfile, and DAV PUT under `/put/`. */
export interface Nginx {
  port: number;
  /** Process of the worker. */
  pid: number;
  stop(): Promise<void>;
}

/** Returns null if nginx is not installed (Debian: the package nginx-light). */
export async function startNginx(directory: string, root: string): Promise<Nginx | null> {
  const program = Bun.which('nginx', { PATH: `${process.env.PATH}:/usr/sbin` });
  if (!program) return null;
  const port = await freePort();
  for (const name of ['put', 'tmp', 'logs']) mkdirSync(join(directory, name), { recursive: true });
  const configuration = join(directory, 'nginx.conf');
  writeFileSync(
    configuration,
    `daemon off; worker_processes 1; pid ${directory}/nginx.pid; error_log ${directory}/logs/error.log;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 1024; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; client_max_body_size 0;
  client_body_temp_path ${directory}/tmp; proxy_temp_path ${directory}/tmp; fastcgi_temp_path ${directory}/tmp;
  uwsgi_temp_path ${directory}/tmp; scgi_temp_path ${directory}/tmp;
  server {
    listen 127.0.0.1:${port};
    location / { root ${root}; }
    location /put/ { alias ${directory}/put/; dav_methods PUT; }
  }
}`,
  );
  const child = Bun.spawn([program, '-c', configuration, '-p', directory], {
    stdout: 'ignore',
    stderr: 'inherit',
  });
  for (let tries = 0; tries < 100; tries++) {
    const responds = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (responds) break;
    await Bun.sleep(20);
  }
  const [worker] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ');
  return {
    port,
    pid: Number(worker),
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}
