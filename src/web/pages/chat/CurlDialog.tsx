import { Modal, Text } from '@mantine/core';
import type { ChatChannel, ChatClient, ChatGuild } from '../../api/chat.ts';
import { CodeBlock, curlOf } from '../../components/CodeBlock.tsx';

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
  const headers = client.hasRelayKey ? ['X-Relay-Key: YOUR_RELAY_KEY'] : [];
  return (
    <Modal opened onClose={close} title={`Request for ${channel.name}`} size="lg">
      <Text size="sm" c="dimmed" mb="xs">
        Paste this into a terminal to post to the channel.
      </Text>
      <CodeBlock code={curlOf('/api/chatbot/sendmessage', body, headers)} label="Copy request" />
    </Modal>
  );
}
