import { SECOND } from '../kernel/clock.ts';
import { invalidField } from '../kernel/problem.ts';
import { fetchShort } from '../kernel/short-response.ts';

const MAX_WAIT_MS = 5 * SECOND;

/**
 * Verifies a visitor's token with the service at `url` (Turnstile, hCaptcha, reCAPTCHA: all accept the same form).
 * @throws Problem 400 that names `ChallengeToken`
 */
export async function verifyChallenge(
  url: string,
  secret: string,
  token: string | undefined,
  address: string,
): Promise<void> {
  if (!token) throw invalidField('ChallengeToken', 'is required');
  const verdict = await fetchShort(url, {
    method: 'POST',
    body: new URLSearchParams({ secret, response: token, remoteip: address }),
    signal: AbortSignal.timeout(MAX_WAIT_MS),
    redirect: 'error',
  })
    .then(async (response) => (await response.json()) as { success?: unknown } | null)
    .catch(() => {
      throw invalidField('ChallengeToken', 'cannot be verified at the moment; try again');
    });
  if (verdict?.success !== true) throw invalidField('ChallengeToken', 'was not accepted');
}
