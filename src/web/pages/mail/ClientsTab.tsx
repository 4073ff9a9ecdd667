import { Group } from '@mantine/core';
import { Mail, Plus } from 'lucide-react';
import { useState } from 'react';
import { useMailClients } from '../../api/mail.ts';
import { DialogButton } from '../../components/DialogButton.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { QueryRows } from '../../components/Rows.tsx';
import { SecretNotice } from '../../components/SecretNotice.tsx';
import { texts as common } from '../../texts.ts';
import { ClientDrawer, type NewCredentials } from './ClientDrawer.tsx';
import { ClientRow } from './ClientRow.tsx';
import { texts } from './texts.ts';

/** The applications that may send. */
export function ClientsTab() {
  const clients = useMailClients();
  const [created, setCreated] = useState<NewCredentials | null>(null);
  return (
    <div className="panel-stack">
      <Group className="tab-actions">
        <DialogButton
          label={common.newClient}
          icon={<Plus size={17} />}
          variant="filled"
          fragment="#new"
          dialog={(close) => <ClientDrawer client={null} onCreated={setCreated} close={close} />}
        />
      </Group>
      {created && (
        <SecretNotice
          title={texts.credentialsFor(created.name)}
          description={texts.credentialsText}
          values={{ ClientId: created.clientId, ClientSecret: created.clientSecret }}
        />
      )}
      <QueryRows
        query={clients}
        label={common.clients}
        boxed
        row={(client) => (
          <ClientRow
            key={client.id}
            client={client}
            secret={created?.clientId === client.id ? created.clientSecret : null}
            showSecret={setCreated}
          />
        )}
        empty={<EmptyState title={texts.noClients} text={texts.noClientsText} icon={<Mail size={28} />} />}
      />
    </div>
  );
}
