import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { openBrowser, signIn } from './harness/browser.ts';
import { addPerson, type Posthouse, startPosthouse } from './harness/posthouse.ts';

describe.each(BACKENDS)('signing in on %s', (backend) => {
  let posthouse: Posthouse;
  beforeAll(async () => {
    posthouse = await startPosthouse(await freshSettings(backend));
    await addPerson(posthouse.settings, 'ada@example.org');
  });
  afterAll(() => posthouse.stop());

  test('a person signs in and out with the embedded issuer', async () => {
    const { browser, me } = await signIn(posthouse, 'ada@example.org');
    expect(me).toMatchObject({ email: 'ada@example.org', role: 'user' });
  });
});
