import { Badge } from '@mantine/core';
import { Hash } from 'lucide-react';
import {
  type ChatChannel,
  type ChatClient,
  type ChatGuild,
  changeTarget,
  deleteTarget,
  useChatChange,
  useRefreshChat,
} from '../../api/chat.ts';
import { Actions, deleteAction, enableAction, renameAction } from '../../components/actions.tsx';
import { Row } from '../../components/Rows.tsx';
import { texts as common } from '../../texts.ts';
import { CurlDialog } from './CurlDialog.tsx';
import { PauseNotice } from './PauseNotice.tsx';
import { TestDialog } from './TestDialog.tsx';
import { texts } from './texts.ts';

interface ChannelRowProps {
  client: ChatClient;
  guild: ChatGuild;
  channel: ChatChannel;
}

export function ChannelRow({ client, guild, channel }: ChannelRowProps) {
  const change = useChatChange();
  const refresh = useRefreshChat();
  const { id, name, platformId, enabled, pause } = channel;
  const set = (changes: Parameters<typeof changeTarget>[2]) =>
    change.mutate(() => changeTarget('channels', id, changes));
  return (
    <Row
      icon={<Hash size={18} />}
      title={name}
      description={<span className="address">{platformId}</span>}
      disabled={!enabled}
      badges={pause && <Badge color="red">{texts.paused}</Badge>}
      actions={
        <Actions
          name={name}
          buttons={[
            {
              label: texts.test,
              ariaLabel: common.testNamed(name),
              dialog: (close) => <TestDialog {...{ client, channel, close }} />,
            },
            {
              label: common.request,
              ariaLabel: common.requestFor(name),
              dialog: (close) => <CurlDialog client={client} guild={guild} channel={channel} close={close} />,
            },
          ]}
          menu={[
            renameAction(name, (newName) => changeTarget('channels', id, { name: newName }).then(refresh)),
            enableAction(enabled, (value) => set({ enabled: value })),
            deleteAction({
              title: texts.deleteChannel(name),
              text: texts.deleteChannelText,
              confirm: () => change.mutateAsync(() => deleteTarget('channels', id)),
            }),
          ]}
        />
      }
    >
      {pause && <PauseNotice pause={pause} resume={() => set({ paused: false })} />}
    </Row>
  );
}
