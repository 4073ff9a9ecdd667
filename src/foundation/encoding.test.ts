import { expect, test } from 'bun:test';
import { Client } from 'pg';
import { freshPostgres } from '../../test/harness/backends.ts';
import { DATABASES, freshDatabase, openAt } from '../../test/harness/database.ts';
import { requireUtf8 } from './encoding.ts';

test.each(DATABASES)('a new database on %s stores every character', async (kind) => {
  await requireUtf8(await freshDatabase(kind));
});

test.each(['LATIN1', 'SQL_ASCII'])('a database with the encoding %s is refused', async (encoding) => {
  const url = new URL(await freshPostgres());
  const name = `${url.pathname.slice(1)}_other`;
  const client = new Client({ connectionString: url.href });
  await client.connect();
  await client.query(`create database ${name} encoding '${encoding}' locale 'C' template template0`);
  await client.end();
  const database = await openAt(Object.assign(url, { pathname: name }).href);
  await expect(requireUtf8(database)).rejects.toThrow(`has the encoding ${encoding}, and must have UTF8`);
});
