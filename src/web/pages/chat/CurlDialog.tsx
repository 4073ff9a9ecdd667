import { Modal, Text } from '@mantine/core';
import type { ChatChannel, ChatClient, ChatGuild } from '../../api/chat.ts';
import { CodeBlock } from '../../components/CodeBlock.tsx';

interface CurlDialogProps {
  client: ChatClient;
  guild: ChatGuild;
  channel: ChatChannel;
  close(): void;
}

/** A `curl` command that posts to the channel. */
export function CurlDialog({ client, guild, channel, close }: CurlDialogProps) {
  const body = {
    clientId: client.name,
    guildId: guild.platformId,
    channelId: channel.platformId,
    title: 'Hello',
    message: 'From the command line',
  };
  const lines = [
    `curl ${location.origin}/api/chatbot/sendmessage`,
    "-H 'Content-Type: application/json'",
    ...(client.hasRelayKey ? [`-H 'X-Relay-Key: YOUR_RELAY_KEY'`] : []),
    `-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`,
  ];
  return (
    <Modal opened onClose={close} title={`Request for ${channel.name}`} size="lg">
      <Text size="sm" c="dimmed" mb="xs">
        Paste this into a terminal to post to the channel.
      </Text>
      <CodeBlock code={lines.join(' \\\n  ')} label="Copy Request" />
    </Modal>
  );
}
