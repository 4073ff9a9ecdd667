import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { join } from 'node:path';
import { BACKENDS, freshDirectory, freshSettings } from '../harness/backends.ts';
import { type Posthouse, startPosthouse } from '../harness/posthouse.ts';
import { findProgram, runProgram, testWith } from '../harness/programs.ts';

const ROOT = join(import.meta.dir, '../..');
/** Installed by `scripts/openapi/check`. */
const REDOCLY = join(ROOT, 'scripts/openapi/node_modules/.bin/redocly');

describe('documents of a server', () => {
  let posthouse: Posthouse;
  const saved = async (path: string) => {
    const file = join(freshDirectory(), 'document');
    await Bun.write(file, await (await posthouse.fetch(path)).text());
    return file;
  };
  beforeAll(async () => {
    posthouse = await startPosthouse(await freshSettings(BACKENDS[0]));
  });
  afterAll(() => posthouse.stop());

  testWith('promtool', 'finds no fault in the metrics', async () => {
    expect(await runProgram('sh', '-c', 'promtool check metrics < "$0" 2>&1', await saved('/metrics'))).toBe(
      '',
    );
  });

  testWith('promtool', 'finds no fault in the alert rules', async () => {
    const rules = join(ROOT, 'docs/monitoring/alerts.yml');
    expect(await runProgram('promtool', 'check', 'rules', '--lint-fatal', rules)).toContain('SUCCESS');
  });

  testWith(findProgram(REDOCLY) ? REDOCLY : 'redocly', 'finds no fault in the OpenAPI document', async () => {
    const [rules, document] = [join(ROOT, 'scripts/openapi/redocly.yaml'), await saved('/openapi.json')];
    await runProgram(process.execPath, '--bun', REDOCLY, 'lint', '--config', rules, document);
  });
});
