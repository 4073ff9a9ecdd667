import { afterAll, expect, test } from 'bun:test';
import { type Lies, startHostileIssuer } from '../../../test/harness/hostile-issuer.ts';
import { createLog } from '../../kernel/log.ts';
import { externalIssuerAccess } from './external.ts';
import { createRelyingParty } from './relying-party.ts';

const ORIGIN = 'https://posthouse.example';
const STEP_MS = 1_000;

const issuer = startHostileIssuer();
afterAll(() => issuer.stop());

/** Signs in at the issuer. @returns the email, or the code of the problem with the faults `lies` at the callback */
async function signIn(lies: Lies, stepMs?: number): Promise<unknown> {
  issuer.lies = {};
  const relyingParty = createRelyingParty(
    externalIssuerAccess({
      url: issuer.url,
      clientId: issuer.settings.POSTHOUSE_OIDC_CLIENT_ID ?? '',
      clientSecret: issuer.settings.POSTHOUSE_OIDC_CLIENT_SECRET ?? '',
      scope: 'openid email',
      clock: { now: Date.now },
      ...(stepMs !== undefined && { stepMs }),
    }),
    createLog('silent'),
  );
  const { url, pending } = await relyingParty.start(ORIGIN, '/');
  const back = new URL((await fetch(url, { redirect: 'manual' })).headers.get('Location') ?? '');
  issuer.lies = lies;
  return await relyingParty.finish(back.search, pending).then(
    ({ email }) => email,
    ({ code }) => code,
  );
}

test('the requests of one step to the issuer have one time limit together', async () => {
  const slow = { delayMs: 0.6 * STEP_MS };
  expect(await signIn(slow)).toBe('ada@example.org');
  expect(await signIn(slow, STEP_MS)).toBe('issuer_unreachable');
});
