import { expect } from 'bun:test';
import { freshDirectory, freshPostgres, freshSettings } from '../harness/backends.ts';
import { readEvents } from '../harness/events.ts';
import { filesOf } from '../harness/files.ts';
import { postJson } from '../harness/json.ts';
import { documentedPooler, startPooler } from '../harness/pooler.ts';
import { addPerson, runJson, spawnCommand, startProcess } from '../harness/posthouse.ts';
import { testWith } from '../harness/programs.ts';
import { until } from '../harness/until.ts';

for (const [name, listens] of [
  ['with a direct address for LISTEN', true],
  ['without an address for LISTEN', false],
] as const)
  testWith('pgbouncer', `nodes start, migrate, send and share events behind it ${name}`, async () => {
    const settings = await freshSettings('postgres+s3');
    const direct = await freshPostgres();
    const pooler = await startPooler(freshDirectory(), direct, await documentedPooler());
    const all = {
      ...settings,
      POSTHOUSE_DATABASE_URL: pooler.urlOf(direct),
      ...(listens ? { POSTHOUSE_DATABASE_LISTEN_URL: direct } : {}),
    };
    const one = await startProcess(all);
    const two = await startProcess({ ...all, POSTHOUSE_DATA_DIR: freshDirectory() });
    const { headers } = await addPerson(all, 'ada@example.org');
    const list = () => two.fetch('/api/storage/files/root', { headers });
    const events = await readEvents(one, headers);
    await until(async () => {
      await filesOf(two, headers).upload('by the other');
      return events.received.some((event) => event.name === 'files');
    });
    events.close();
    expect(one.output().includes('signals between nodes use a table')).toBe(!listens);

    const client = await runJson<object>(all, 'mail-client', 'add', '--name', 'app', '--services', 'email');
    const mail = { ...client, To: 'ada@example.org', Subject: 'x', Body: 'y' };
    const sent = await postJson(one, '/requestemail', mail);
    expect(sent.status).toBe(200);
    const doctor = await spawnCommand(all, 'doctor', '--json');
    const { parts }: { parts: { name: string; ok: boolean }[] } = JSON.parse(doctor.stdout);
    expect(parts.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(listens ? [] : ['signals']);

    await pooler.stop();
    expect((await list()).status).toBe(503);
    await pooler.start();
    await until(async () => (await list()).status === 200);
    await until(async () => (await two.fetch('/readyz')).status === 200);
    expect(await Promise.all([one.stop(), two.stop()])).toEqual([0, 0]);
    await pooler.stop();
  });
