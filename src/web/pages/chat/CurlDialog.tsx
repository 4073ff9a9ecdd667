import { Modal, Text } from '@mantine/core';
import type { ChatChannel, ChatClient, ChatGuild } from '../../api/chat.ts';
import { CodeBlock } from '../../components/CodeBlock.tsx';
import { chatTexts as texts } from '../../texts/chat.ts';
import { common } from '../../texts/common.ts';

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
    title: texts.curlTitle,
    message: texts.curlMessage,
  };
  const lines = [
    `curl ${location.origin}/api/chatbot/sendmessage`,
    "-H 'Content-Type: application/json'",
    ...(client.hasRelayKey ? [`-H 'X-Relay-Key: ${texts.curlRelayKey}'`] : []),
    `-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`,
  ];
  return (
    <Modal opened onClose={close} title={common.requestFor(channel.name)} size="lg">
      <Text size="sm" c="dimmed" mb="xs">
        {texts.curlHint}
      </Text>
      <CodeBlock code={lines.join(' \\\n  ')} label={common.copy(common.request)} />
    </Modal>
  );
}
