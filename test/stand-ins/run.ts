import { startDiscord } from './discord.ts';
import { startSmtpStandIn } from './smtp.ts';
import { startTelegramStandIn } from './telegram.ts';

/**
 * Starts stand-ins of all peers for manual tests: `npm run stand-ins`, then start the server with the
 * printed settings. Received messages are printed too.
 */
const TOKEN = '123456789:a-token-of-the-stand-in';
const CHATS = ['42', '@news', '-1001234'];

const smtp = await startSmtpStandIn({ port: 2525 });
const telegram = await startTelegramStandIn({ port: 8081, tokens: [TOKEN], chats: CHATS });
const discord = await startDiscord({ port: 8082 });
const bot = discord.world.addBot();
const guild = discord.world.addGuild([bot]);
const channel = discord.world.addChannel(guild);

print(`An SMTP server, a Telegram and a Discord are listening. Start Posthouse beside them:

POSTHOUSE_SMTP_URL='smtp://${smtp.host}:${smtp.port}?tls=none' \\
POSTHOUSE_MAIL_FROM='Posthouse <post@example.org>' \\
POSTHOUSE_TELEGRAM_API_URL=${telegram.url} POSTHOUSE_TELEGRAM_TOKEN='${TOKEN}' \\
POSTHOUSE_DISCORD_API_URL=${discord.url} \\
npm start

Telegram has the chats ${CHATS.join(', ')}.
Discord has a bot with the token ${bot.token}, the guild ${guild.id} and the channel ${channel.id}.
`);

for (;;) {
  const [mails, messages, requests] = [smtp.mails.length, telegram.messages.length, discord.arrived.length];
  await Bun.sleep(200);
  for (const { parsed, to } of smtp.mails.slice(mails))
    print(`mail      to ${to.join(', ')}: ${parsed.subject ?? ''}`);
  for (const { chat_id, text } of telegram.messages.slice(messages))
    print(`telegram  to ${chat_id}: ${text.slice(0, 200)}`);
  for (const { method, path, status } of discord.arrived.slice(requests))
    print(`discord   ${method} ${path}: ${status ?? 'no answer'}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
