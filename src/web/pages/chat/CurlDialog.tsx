import { Text } from '@mantine/core';
import type { ChatChannel, ChatClient, ChatGuild } from '../../api/chat.ts';
import { usePublicUrl } from '../../api/session.ts';
import { CodeBlock, curlOf } from '../../components/CodeBlock.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { texts as common } from '../../texts.ts';
import { texts } from './texts.ts';

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
    title: common.hello,
    message: common.commandLine,
  };
  const url = `${usePublicUrl()}/api/chatbot/sendmessage`;
  const headers = client.hasRelayKey ? ['X-Relay-Key: YOUR_RELAY_KEY'] : [];
  return (
    <Dialog close={close} title={common.requestFor(channel.name)} size="lg">
      <Text size="sm" c="dimmed" mb="xs">
        {texts.curlText}
      </Text>
      <CodeBlock code={curlOf(url, body, headers)} label={texts.copyRequest} />
    </Dialog>
  );
}
