import { expect, test } from 'bun:test';
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { migrations } from '../src/foundation/schema.ts';
import { freshDirectory, freshSettings } from './harness/backends.ts';
import { filesOf } from './harness/files.ts';
import { foundationOf } from './harness/foundation.ts';
import { addPerson, type Posthouse, startPosthouse, startProgram } from './harness/posthouse.ts';

const ROOT = join(import.meta.dir, '..');
const [newest] = migrations.toSorted((a, b) => (a.name > b.name ? -1 : 1));

async function git(...words: string[]): Promise<string | null> {
  if (!Bun.which('git')) return null;
  const child = Bun.spawn(['git', ...words], { cwd: ROOT, stdout: 'pipe', stderr: 'ignore' });
  const printed = await new Response(child.stdout).text();
  return (await child.exited) === 0 ? printed.trim() : null;
}

/** Unpacks the program before the newest migration; returns null where the history is not available. */
async function programBefore(name: string): Promise<string | null> {
  const [added] =
    (await git('log', '--reverse', '--format=%H', '-S', `'${name}'`, '--', 'src'))?.split('\n') ?? [];
  if (!added) return null;
  const directory = freshDirectory();
  const archive = join(directory, 'program.tar');
  if (
    (await git('archive', '--output', archive, `${added}^`, 'src', 'package.json', 'tsconfig.json')) === null
  )
    return null;
  await Bun.spawn(['tar', '-xf', archive, '-C', directory]).exited;
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  return existsSync(join(directory, 'src/main.ts')) ? directory : null;
}

async function uploads(posthouse: Posthouse): Promise<void> {
  const person = await addPerson(posthouse.settings, `${crypto.randomUUID()}@example.org`);
  const { sha256 } = await filesOf(posthouse, person.headers).upload('one file');
  expect(sha256).toMatch(/^[0-9a-f]{64}$/);
}

test('a server runs and starts on a schema that a newer version expanded, and not on one that it contracted', async () => {
  const settings = await freshSettings('sqlite+local');
  const running = await startPosthouse(settings);
  const { database } = await foundationOf(settings);
  await sql`alter table files add column later text default 'x' not null`.execute(database.schema);
  await sql`insert into migrations (name, timestamp, kind) values ('9998_later', '', 'expand')`.execute(
    database.schema,
  );
  await uploads(running);
  await running.stop();
  const again = await startPosthouse(settings);
  await uploads(again);
  await again.stop();
  await sql`insert into migrations (name, timestamp, kind) values ('9999_removed', '', 'contract')`.execute(
    database.schema,
  );
  await expect(startPosthouse(settings)).rejects.toThrow('newer version of Posthouse (it has 9999_removed)');
});

test('the program before the newest migration starts and runs after it', async () => {
  const program = newest && (await programBefore(newest.name));
  if (!program)
    return process.stdout.write('skipped: the history of this clone does not reach that far back\n');
  // Without the web app, which another version would bundle first.
  const settings = { ...(await freshSettings('postgres+s3')), POSTHOUSE_SERVICES: 'storage' };
  const current = await startPosthouse(settings);
  const start = () => startProgram([join(program, 'src/main.ts'), 'serve'], settings);
  if (newest.kind === 'contract') {
    await expect(start()).rejects.toThrow(newest.name);
    return;
  }
  const previous = await start();
  for (const posthouse of [previous, current]) await uploads(posthouse);
  await previous.stop();
  await current.stop();
});
