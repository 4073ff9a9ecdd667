import { Group } from '@mantine/core';
import { Mail, Plus } from 'lucide-react';
import { useState } from 'react';
import { useMailClients } from '../../api/mail.ts';
import { DialogButton } from '../../components/DialogButton.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { QueryRows } from '../../components/Rows.tsx';
import { SecretNotice } from '../../components/SecretNotice.tsx';
import { ClientDrawer, type NewCredentials } from './ClientDrawer.tsx';
import { ClientRow } from './ClientRow.tsx';

/** The applications that may send. */
export function ClientsTab() {
  const clients = useMailClients();
  const [created, setCreated] = useState<NewCredentials | null>(null);
  return (
    <div className="panel-stack">
      <Group justify="flex-end">
        <DialogButton
          label="New client"
          icon={<Plus size={17} />}
          variant="filled"
          dialog={(close) => <ClientDrawer client={null} onCreated={setCreated} close={close} />}
        />
      </Group>
      {created && (
        <SecretNotice
          title={`Credentials for ${created.name}`}
          description="Copy the secret now. It is shown only once."
          values={{ ClientId: created.clientId, ClientSecret: created.clientSecret }}
        />
      )}
      <QueryRows
        query={clients}
        label="Clients"
        boxed
        row={(client) => (
          <ClientRow
            key={client.id}
            client={client}
            secret={created?.clientId === client.id ? created.clientSecret : null}
            showSecret={setCreated}
          />
        )}
        empty={
          <EmptyState
            title="No clients yet"
            text="A client is an application that signs in with an ID and a secret."
            icon={<Mail size={28} />}
          />
        }
      />
    </div>
  );
}
