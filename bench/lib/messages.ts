/** Settings of a server that accepts any number of chat messages. */
export const UNLIMITED_CHAT = {
  POSTHOUSE_CHAT_BURST: '1000000',
  POSTHOUSE_CHAT_PER_MINUTE: '1000000',
};

/** Creates the channels 0 to `count - 1` of a client in the sandbox. @param run runs a command of the server */
export async function addChannels(
  run: (...words: string[]) => Promise<unknown>,
  count: number,
): Promise<void> {
  await run('chat-client', 'add', '--name', 'bench', '--platform', 'sandbox');
  await run('chat-guild', 'add', '--client', 'bench', '--platform-id', '1', '--name', 'bench');
  for (let channel = 0; channel < count; channel++) {
    const id = String(channel);
    await run('chat-channel', 'add', '--guild', '1', '--platform-id', id, '--name', `channel ${id}`);
  }
}

/** Returns a message to one of `channels` channels. */
export function chatMessage(number: number, channels: number) {
  return {
    clientId: 'bench',
    guildId: '1',
    channelId: String(number % channels),
    title: 'Deployment',
    message: `Version ${number} of the application is on the first half of the machines, and all checks are green.`,
  };
}

export function mailMessage(number: number) {
  return {
    To: 'ada@example.org',
    Subject: `Mail ${number}`,
    Body: `Dear reader, this is a mail. ${'Some more of it. '.repeat(40)}`,
  };
}
