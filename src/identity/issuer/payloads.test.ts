import { describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase } from '../../../test/harness/database.ts';
import { createVault } from '../../kernel/crypto/vault.ts';
import { createPayloads } from './payloads.ts';

const MAX = 200;
const LIFETIME = 600;

describe.each(DATABASES)('payloads of the issuer on %s', (kind) => {
  const setUp = async () => {
    const database = await freshDatabase(kind);
    const clock = { at: 1_800_000_000_000, now: () => clock.at++ };
    const vault = createVault(Buffer.alloc(32, 1));
    return createPayloads({ database, clock, vault, maxInteractions: MAX });
  };

  test('only the oldest interactions beyond the maximum are deleted', async () => {
    const payloads = await setUp();
    const [interactions, codes] = [
      payloads.adapterOf('Interaction'),
      payloads.adapterOf('AuthorizationCode'),
    ];
    await codes.upsert('code', { uid: 'code' }, LIFETIME);
    const count = 3 * MAX;
    for (let i = 0; i < count; i++) await interactions.upsert(`${i}`, { uid: `u${i}` }, LIFETIME);
    const ids = Array.from({ length: count }, (_, i) => `${i}`);
    const kept = (await Promise.all(ids.map((id) => interactions.find(id)))).map(Boolean);
    expect(kept.slice(-MAX)).toEqual(Array.from({ length: MAX }, () => true));
    expect(kept.slice(0, MAX)).toEqual(Array.from({ length: MAX }, () => false));
    expect(await codes.find('code')).toMatchObject({ uid: 'code' });
  });
});
