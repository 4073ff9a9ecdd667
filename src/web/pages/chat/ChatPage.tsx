import { MessagesSquare, Plus } from 'lucide-react';
import { useState } from 'react';
import { useChatClients } from '../../api/chat.ts';
import { DialogButton } from '../../components/DialogButton.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { Page } from '../../components/Page.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { SecretNotice } from '../../components/SecretNotice.tsx';
import { ClientDialog, type RelayKey } from './ClientDialog.tsx';
import { ClientPanel } from './ClientPanel.tsx';

/** Chat clients with the guilds and channels they may post to. */
export function ChatPage() {
  const clients = useChatClients();
  const [relayKey, setRelayKey] = useState<RelayKey | null>(null);
  return (
    <Page
      title="Chat"
      description="Bots that relay messages from your applications to chat channels."
      actions={
        <DialogButton
          label="New client"
          icon={<Plus size={17} />}
          variant="filled"
          dialog={(close) => <ClientDialog client={null} showKey={setRelayKey} close={close} />}
        />
      }
    >
      <div className="panel-stack">
        {relayKey && (
          <SecretNotice
            title={`Relay key of ${relayKey.name}`}
            description="Send it in the X-Relay-Key header. It is shown only once."
            values={{ 'X-Relay-Key': relayKey.key }}
          />
        )}
        <QueryContent query={clients}>
          {(list) =>
            list.length === 0 ? (
              <EmptyState
                title="No chat clients yet"
                text={
                  'A client is your bot on the chat platform. A client without a token is a sandbox: its ' +
                  'messages are stored here and not sent.'
                }
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
