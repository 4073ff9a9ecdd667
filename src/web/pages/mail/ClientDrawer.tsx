import { Stack } from '@mantine/core';
import {
  type Credentials,
  changeMailClient,
  createMailClient,
  type MailClient,
  useRefreshMail,
} from '../../api/mail.ts';
import { SidePanel } from '../../components/Dialog.tsx';
import { FormButtons } from '../../components/FormDialog.tsx';
import { notify } from '../../components/notify.tsx';
import { useUnsaved } from '../../components/unsaved.ts';
import { useApiForm } from '../../components/useApiForm.ts';
import { useDraft } from '../../components/useDraft.ts';
import { texts as common } from '../../texts.ts';
import { ContactFields, GeneralFields, LimitFields, SmtpFields, TelegramFields } from './ClientFields.tsx';
import { formValuesOf, settingsOf, withoutSecrets } from './client-form.ts';
import { texts } from './texts.ts';

/** Credentials that were just created, and the name of their client. */
export type NewCredentials = Credentials & { name: string };

interface ClientDrawerProps {
  /** Null creates a client. */
  client: MailClient | null;
  onCreated(credentials: NewCredentials): void;
  close(): void;
}

/** Creates or edits a mail client. */
export function ClientDrawer({ client, onCreated, close }: ClientDrawerProps) {
  const refresh = useRefreshMail();
  const form = useApiForm(formValuesOf(client), async (values) => {
    const settings = settingsOf(values);
    const { tokenChecked, ...saved } = await (client
      ? changeMailClient(client.id, settings)
      : createMailClient(settings));
    if ('clientSecret' in saved) onCreated({ ...saved, name: values.name });
    if (tokenChecked === false) notify(texts.tokenUnchecked);
    await refresh();
    close();
  });
  const { services } = form.values;
  useUnsaved(form.isDirty());
  useDraft(`mail client ${client?.id}`, form, withoutSecrets);
  return (
    <SidePanel close={close} size={560} title={client ? common.editNamed(client.name) : common.newClient}>
      <form onSubmit={form.submit} autoComplete="off">
        <Stack gap="lg" pb="xl">
          <GeneralFields form={form} />
          <LimitFields form={form} />
          {services.includes('contact') && (
            <ContactFields form={form} isSet={client?.has.challengeSecret ?? false} />
          )}
          {services.includes('telegram') && (
            <TelegramFields form={form} isSet={client?.has.telegramToken ?? false} />
          )}
          <SmtpFields form={form} isSet={client?.has.smtp ?? false} />
          <FormButtons
            submitLabel={client ? common.save : common.create}
            submitting={form.submitting}
            disabled={services.length === 0}
            close={close}
          />
        </Stack>
      </form>
    </SidePanel>
  );
}
