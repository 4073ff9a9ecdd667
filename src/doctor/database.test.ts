import { Database as BunSqlite } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { freshDirectory } from '../../test/harness/backends.ts';
import { openAt } from '../../test/harness/database.ts';
import { shapeConfig } from '../config/config.ts';
import { checkDatabase } from './database.ts';

test('the check of SQLite waits for the lock of another process without blocking the event loop', async () => {
  const dataDir = freshDirectory();
  const { config, secrets } = shapeConfig({ POSTHOUSE_DATA_DIR: dataDir });
  const file = join(dataDir, 'posthouse.sqlite');
  const running = openAt(file);
  const other = new BunSqlite(file);
  other.run('begin immediate');
  // Never called while SQLite itself waits: the check then fails.
  setImmediate(() => other.run('commit'));
  const checks = [running, null].map((server) =>
    checkDatabase({ config, secrets, running: server, found() {} }),
  );
  for (const detail of await Promise.all(checks)) expect(detail).toMatch(/^SQLite .* empty/);
  other.close();
});
