import { MessagesSquare, Plus } from 'lucide-react';
import { useState } from 'react';
import { useChatClients } from '../../api/chat.ts';
import { ApiDocs } from '../../components/ApiDocs.tsx';
import { DialogButton } from '../../components/DialogButton.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { Page } from '../../components/Page.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { SecretNotice } from '../../components/SecretNotice.tsx';
import { texts as common } from '../../texts.ts';
import { ClientDialog, type RelayKey } from './ClientDialog.tsx';
import { ClientPanel } from './ClientPanel.tsx';
import { texts } from './texts.ts';

/** Chat clients with the guilds and channels they may post to. */
export function ChatPage() {
  const clients = useChatClients();
  const [relayKey, setRelayKey] = useState<RelayKey | null>(null);
  return (
    <Page
      title={common.chat}
      description={
        <>
          {texts.description} <ApiDocs />
        </>
      }
      actions={
        <DialogButton
          label={common.newClient}
          icon={<Plus size={17} />}
          variant="filled"
          dialog={(close) => <ClientDialog client={null} showKey={setRelayKey} close={close} />}
        />
      }
    >
      <div className="panel-stack">
        {relayKey && (
          <SecretNotice
            title={texts.relayKeyOf(relayKey.name)}
            description={texts.relayKeyText}
            values={{ 'X-Relay-Key': relayKey.key }}
          />
        )}
        <QueryContent query={clients}>
          {(list) =>
            list.length === 0 ? (
              <EmptyState
                title={texts.noClients}
                text={texts.noClientsText}
                icon={<MessagesSquare size={28} />}
              />
            ) : (
              list.map((client) => <ClientPanel key={client.id} client={client} showKey={setRelayKey} />)
            )
          }
        </QueryContent>
      </div>
    </Page>
  );
}
