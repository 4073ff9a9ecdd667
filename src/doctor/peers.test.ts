import { expect, test } from 'bun:test';
import type { Config } from '../config/config.ts';
import type { Secrets } from '../config/secrets.ts';
import { CheckFailed } from './check.ts';
import { checkIssuer, checkTelegram } from './peers.ts';

/** Runs a check against a server that sends the same response to every request. Returns its result, or its error. */
async function withServer(response: () => Response, check: (url: string) => Promise<string>) {
  const server = Bun.serve({ port: 0, fetch: response });
  try {
    return await check(server.url.origin).catch((error) => error as Error);
  } finally {
    await server.stop(true);
  }
}

test('a discovery document of more than 1 MB is not read', async () => {
  const large = () => Response.json({ issuer: 'x'.repeat(1_100_000) });
  const failed = await withServer(large, (url) =>
    checkIssuer({ externalIssuer: { url, clientId: 'x', scope: 'openid' } } as Config),
  );
  expect(failed).toBeInstanceOf(CheckFailed);
  expect(String(failed)).toMatch(/more than \d+ bytes\. Check POSTHOUSE_OIDC_ISSUER/);
});

test('a page in place of the response of Telegram is reported with a remedy', async () => {
  const page = () => new Response('<h1>Sign in</h1>');
  const failed = await withServer(page, (apiUrl) =>
    checkTelegram({ telegram: { apiUrl } } as Config, { telegramToken: '1:x' } as Secrets),
  );
  expect(failed).toBeInstanceOf(CheckFailed);
  expect(String(failed)).toContain('Check POSTHOUSE_TELEGRAM_API_URL');
});
