import { Badge, Button } from '@mantine/core';
import { Hash } from 'lucide-react';
import { useState } from 'react';
import {
  type ChatChannel,
  type ChatClient,
  type ChatGuild,
  changePlace,
  deletePlace,
  useChatChange,
  useLookAgainAtChat,
} from '../../api/chat.ts';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { NameDialog } from '../../parts/NameDialog.tsx';
import { RowMenu } from '../../parts/RowMenu.tsx';
import { Row } from '../../parts/Rows.tsx';
import { chatTexts as texts } from '../../texts/chat.ts';
import { CurlDialog } from './CurlDialog.tsx';
import { PauseNotice } from './PauseNotice.tsx';
import { TestDialog } from './TestDialog.tsx';

type Asked = 'test' | 'curl' | 'rename' | 'delete' | null;

/** One channel: test it, get the request for it, switch it. */
export function ChannelRow({ client, guild, channel }: { client: ChatClient; guild: ChatGuild; channel: ChatChannel }) {
  const change = useChatChange();
  const lookAgain = useLookAgainAtChat();
  const [asked, setAsked] = useState<Asked>(null);
  const { id, name, platformId, enabled, pause } = channel;
  const set = (changes: Parameters<typeof changePlace>[2]) => change.mutate(() => changePlace('channels', id, changes));
  const close = () => setAsked(null);
  return (
    <>
      <Row
        icon={<Hash size={18} />}
        title={name}
        about={<span className="address">{platformId}</span>}
        faded={!enabled}
        signs={
          <>
            {pause && <Badge color="red">{texts.paused}</Badge>}
            {!enabled && <Badge color="red">{texts.disabled}</Badge>}
          </>
        }
        actions={
          <>
            <Button size="xs" variant="default" aria-label={texts.testOf(name)} onClick={() => setAsked('test')}>
              {texts.test}
            </Button>
            <Button size="xs" variant="default" aria-label={texts.curlOf(name)} onClick={() => setAsked('curl')}>
              {texts.curl}
            </Button>
            <RowMenu
              label={texts.actionsFor(name)}
              items={[
                { label: texts.rename, act: () => setAsked('rename') },
                { label: enabled ? texts.disable : texts.enable, act: () => set({ enabled: !enabled }) },
                { label: texts.delete, act: () => setAsked('delete'), isDangerous: true },
              ]}
            />
          </>
        }
      >
        {pause && <PauseNotice pause={pause} lift={() => set({ paused: false })} />}
      </Row>
      {asked === 'test' && <TestDialog channel={channel} close={close} />}
      {asked === 'curl' && <CurlDialog client={client} guild={guild} channel={channel} close={close} />}
      {asked === 'rename' && (
        <NameDialog
          title={texts.rename}
          label={texts.renamed}
          initial={name}
          button={texts.rename}
          submit={(wanted) => changePlace('channels', id, { name: wanted }).then(lookAgain)}
          close={close}
        />
      )}
      {asked === 'delete' && (
        <ConfirmDialog
          title={texts.deleteChannel(name)}
          text={texts.deleteChannelText}
          button={texts.delete}
          confirm={() => change.mutateAsync(() => deletePlace('channels', id))}
          close={close}
        />
      )}
    </>
  );
}
