import { Modal, Text } from '@mantine/core';
import type { ChatChannel, ChatClient, ChatGuild } from '../../api/chat.ts';
import { CodeBlock } from '../../parts/CodeBlock.tsx';
import { chatTexts as texts } from '../../texts/chat.ts';

interface CurlDialogProps {
  client: ChatClient;
  guild: ChatGuild;
  channel: ChatChannel;
  close(): void;
}

/** A request that posts into the channel, ready to paste. */
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
    <Modal opened onClose={close} title={texts.curlOf(channel.name)} size="lg" centered>
      <Text size="sm" c="dimmed" mb="xs">
        {texts.curlAbout}
      </Text>
      <CodeBlock code={lines.join(' \\\n  ')} label={texts.copy(texts.curl)} />
    </Modal>
  );
}
