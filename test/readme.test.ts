import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { freshSettings } from './harness/backends.ts';
import { type Posthouse, startPosthouse } from './harness/posthouse.ts';
import { resultOf } from './harness/result-of.ts';
import { type DiscordStandIn, startDiscord } from './stand-ins/discord.ts';
import { type SmtpStandIn, startSmtpStandIn } from './stand-ins/smtp.ts';

const ROOT = join(import.meta.dir, '..');
const GUIDES = ['storage', 'links', 'teams', 'login', 'chat', 'mail', 'operation'].map(
  (name) => `docs/${name}.md`,
);
const LIMIT_MS = 120_000;

/** Returns the `sh` blocks of a document, unchanged. */
async function shellBlocks(path: string): Promise<string[]> {
  const text = await Bun.file(join(ROOT, path)).text();
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block ?? '');
}

/** Runs `script` in the checkout, like a second terminal. */
async function run(script: string, posthouse: Posthouse, more: Record<string, string> = {}) {
  const { PATH = '', HOME = '' } = process.env;
  const child = Bun.spawn(['bash', '-euo', 'pipefail', '-c', script], {
    cwd: ROOT,
    env: { PATH, HOME, ...posthouse.settings, POSTHOUSE: posthouse.url, ...more },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const { stdout, stderr, status } = await resultOf(child);
  if (status !== 0) throw new Error(`the shell ended with status ${status}:\n${stdout}\n${stderr}`);
  return stdout;
}

/** Replaces npx, which takes a second per call; `test/start.test.ts` uses it. */
const QUICKLY = 'npx() { shift; bin/posthouse "$@"; }';

describe('the examples of the README', () => {
  let smtp: SmtpStandIn;
  let discord: DiscordStandIn;
  beforeAll(async () => {
    [smtp, discord] = await Promise.all([startSmtpStandIn(), startDiscord()]);
  });
  afterAll(() => Promise.all([smtp.stop(), discord.stop()]));

  test(
    'upload, share and download the photograph, and send an e-mail and a chat message to peers',
    async () => {
      const bot = discord.world.addBot();
      const guild = discord.world.addGuild([bot]);
      const channel = discord.world.addChannel(guild);
      const posthouse = await startPosthouse({
        ...(await freshSettings('sqlite+local')),
        POSTHOUSE_SMTP_URL: `smtp://${smtp.host}:${smtp.port}`,
        POSTHOUSE_MAIL_FROM: 'Team <team@example.org>',
        POSTHOUSE_DISCORD_API_URL: discord.url,
      });
      const printed = await run([QUICKLY, ...(await shellBlocks('README.md'))].join('\n'), posthouse, {
        DISCORD_TOKEN: bot.token,
        DISCORD_GUILD: guild.id,
        DISCORD_CHANNEL: channel.id,
      });
      expect(printed).toContain('every byte arrived');
      expect(printed).toContain('ff d8 ff e0');
      const link = new RegExp(`${posthouse.url}/api/storage/public/media/[\\w-]{22,}`);
      const mail = await smtp.arrived(({ to }) => to.includes('friend@example.org'));
      expect(mail.parsed.subject).toBe('A photograph');
      expect(mail.parsed.text).toMatch(link);
      const [message] = discord.world.messagesIn(channel.id);
      expect(JSON.stringify(message)).toMatch(link);
      expect(printed).toContain('"status":"sent"');
      const page = /The public page is (\S+)/.exec(printed)?.[1] ?? '';
      expect((await fetch(page)).status).toBe(200);
      await posthouse.stop();
    },
    LIMIT_MS,
  );
});

test(
  'the examples of the README and the guides work on a new server without settings',
  async () => {
    const posthouse = await startPosthouse(await freshSettings('sqlite+local'));
    const documents = await Promise.all(['README.md', ...GUIDES].map(shellBlocks));
    const printed = await run([QUICKLY, ...documents.flat()].join('\n'), posthouse);
    expect(printed).toContain('"sandbox":true');
    await posthouse.stop();
  },
  LIMIT_MS,
);

test('every linked document exists', async () => {
  const missing: string[] = [];
  for (const path of [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    ...GUIDES,
    'docs/client.md',
    'docs/errors.md',
    'docs/settings.md',
  ]) {
    const text = await Bun.file(join(ROOT, path)).text();
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)) {
      const file = join(ROOT, path, '..', target);
      if (!(await Bun.file(file).exists())) missing.push(`${path} → ${target}`);
    }
  }
  expect(missing).toEqual([]);
});
