import { Badge } from '@mantine/core';
import { Boxes } from 'lucide-react';
import {
  changeMailClient,
  combinesContact,
  deleteMailClient,
  type MailClient,
  rotateSecret,
  SERVICES,
  useMailChange,
} from '../../api/mail.ts';
import {
  type Action,
  Actions,
  confirmedAction,
  deleteAction,
  enableAction,
} from '../../components/actions.tsx';
import { Row } from '../../components/Rows.tsx';
import { texts as common } from '../../texts.ts';
import { ClientDrawer, type NewCredentials } from './ClientDrawer.tsx';
import { RequestDialog } from './RequestDialog.tsx';
import { NoSnippetDialog, SnippetDialog } from './SnippetDialog.tsx';
import { TestDialog } from './TestDialog.tsx';
import { texts } from './texts.ts';

interface ClientRowProps {
  client: MailClient;
  /** Its secret, if it was created on this page. */
  secret: string | null;
  showSecret(credentials: NewCredentials): void;
}

export function ClientRow({ client, secret, showSecret }: ClientRowProps) {
  const change = useMailChange();
  const { id, name, services, enabled } = client;
  const rotate = () => change.mutateAsync(async () => showSecret({ ...(await rotateSecret(id)), name }));
  const form: Action = {
    label: texts.form,
    ariaLabel: texts.formFor(name),
    dialog: (close) =>
      combinesContact(services) ? (
        <NoSnippetDialog client={client} close={close} />
      ) : (
        <SnippetDialog client={client} secret={secret} rotate={rotate} close={close} />
      ),
  };
  const hasForm = services.includes('contact') && client.origins.length > 0;
  const isForm = hasForm && !combinesContact(services);
  const sample: Action = isForm
    ? form
    : {
        label: common.request,
        ariaLabel: common.requestFor(name),
        dialog: (close) => <RequestDialog client={client} close={close} />,
      };
  return (
    <Row
      id={id}
      icon={<Boxes size={18} />}
      title={name}
      disabled={!enabled}
      badges={services.map((service) => (
        <Badge key={service} color="gray">
          {SERVICES[service]}
        </Badge>
      ))}
      description={<span className="address">{id}</span>}
      actions={
        <Actions
          name={name}
          buttons={[
            sample,
            {
              label: common.edit,
              ariaLabel: common.editNamed(name),
              dialog: (close) => <ClientDrawer client={client} onCreated={showSecret} close={close} />,
            },
          ]}
          menu={[
            ...(hasForm && !isForm ? [form] : []),
            { label: texts.sendTest, dialog: (close) => <TestDialog client={client} close={close} /> },
            confirmedAction({
              label: texts.newSecret,
              title: texts.newSecretTitle(name),
              text: texts.newSecretText,
              confirm: rotate,
            }),
            enableAction(enabled, (value) => change.mutate(() => changeMailClient(id, { enabled: value }))),
            deleteAction({
              title: common.deleteClient(name),
              text: texts.deleteClientText,
              confirm: () => change.mutateAsync(() => deleteMailClient(id)),
            }),
          ]}
        />
      }
    />
  );
}
