import { SECOND } from '../kernel/clock.ts';
import { invalidField } from '../kernel/http/problem.ts';

const LONGEST_WAIT_MS = 5 * SECOND;

/**
 * Asks the service behind `url` (Turnstile, hCaptcha, reCAPTCHA: all take the same form) whether a visitor's token is good.
 * @throws Problem 400 that names `ChallengeToken`
 */
export async function verifyChallenge(url: string, secret: string, token: string | undefined, address: string): Promise<void> {
  if (!token) throw invalidField('ChallengeToken', 'is required');
  const answer = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ secret, response: token, remoteip: address }),
    signal: AbortSignal.timeout(LONGEST_WAIT_MS),
    redirect: 'error',
  })
    .then(async (response) => (await response.json()) as { success?: unknown })
    .catch(() => {
      throw invalidField('ChallengeToken', 'cannot be verified just now; try again');
    });
  if (answer.success !== true) throw invalidField('ChallengeToken', 'was not accepted');
}
