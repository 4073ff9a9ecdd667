import { Button, Checkbox, Drawer, Fieldset, Group, NumberInput, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { changeMailClient, type MailClient, makeMailClient, SERVICES, useLookAgainAtMail } from '../../api/mail.ts';
import { SecretInput } from '../../parts/SecretInput.tsx';
import { useFields } from '../../parts/useFields.ts';
import { common } from '../../texts/common.ts';
import { mailTexts as texts } from '../../texts/mail.ts';
import type { NewCredentials } from './ClientsTab.tsx';
import { fieldsOf, settingsOf } from './client-fields.ts';
import { SmtpFields } from './SmtpFields.tsx';

interface ClientDrawerProps {
  /** Null = a new one. */
  client: MailClient | null;
  made(credentials: NewCredentials): void;
  close(): void;
}

/** Makes or changes an application that may send. */
export function ClientDrawer({ client, made, close }: ClientDrawerProps) {
  const lookAgain = useLookAgainAtMail();
  const fields = useFields(fieldsOf(client));
  const { values } = fields;
  const submit = fields.submit(async () => {
    const settings = settingsOf(values);
    if (client) await changeMailClient(client.id, settings);
    else made({ ...(await makeMailClient(settings)), name: values.name });
    await lookAgain();
    close();
  });
  return (
    <Drawer opened onClose={close} position="right" size={560} title={client ? texts.editClient(client.name) : texts.newClient}>
      <form onSubmit={submit} autoComplete="off">
        <Stack gap="lg" pb="xl">
          <TextInput label={texts.name} required data-autofocus {...fields.text('name')} />
          <Checkbox.Group label={texts.mayUse} {...fields.value('services')}>
            <Group mt="xs">
              {SERVICES.map((service) => (
                <Checkbox key={service} value={service} label={texts.services[service]} />
              ))}
            </Group>
          </Checkbox.Group>
          <TextInput
            label={texts.sender}
            description={texts.senderAbout}
            placeholder="Shop <shop@example.org>"
            {...fields.text('sender')}
          />
          <Textarea label={texts.sendersAllowed} description={texts.onePerLine} autosize minRows={1} {...fields.text('sendersAllowed')} />
          <Textarea
            label={texts.recipientsAllowed}
            description={texts.recipientsAbout}
            autosize
            minRows={1}
            {...fields.text('recipientsAllowed')}
          />
          <Fieldset legend={texts.limits}>
            <Group grow>
              <NumberInput
                label={texts.perSecond}
                placeholder={texts.noLimit}
                min={1}
                allowDecimal={false}
                {...fields.value('limitsSecond')}
              />
              <NumberInput label={texts.perHour} placeholder={texts.noLimit} min={1} allowDecimal={false} {...fields.value('limitsHour')} />
              <NumberInput label={texts.perDay} placeholder={texts.noLimit} min={1} allowDecimal={false} {...fields.value('limitsDay')} />
            </Group>
          </Fieldset>
          {values.services.includes('contact') && (
            <Fieldset legend={texts.contact}>
              <Stack gap="md">
                <Textarea label={texts.contactTo} description={texts.contactToAbout} autosize minRows={1} {...fields.text('contactTo')} />
                <Textarea label={texts.origins} description={texts.originsAbout} autosize minRows={1} {...fields.text('origins')} />
                <Checkbox label={texts.acknowledge} {...fields.box('contactAcknowledges')} />
                <TextInput label={texts.challengeUrl} description={texts.challengeAbout} {...fields.text('challengeUrl')} />
                <SecretInput
                  label={texts.challengeSecret}
                  isSet={client?.has.challengeSecret ?? false}
                  about={{ kept: texts.secretKept, none: texts.secretNone, remove: texts.remove }}
                  {...fields.value('challengeSecret')}
                />
              </Stack>
            </Fieldset>
          )}
          {values.services.includes('telegram') && (
            <Fieldset legend={texts.telegram}>
              <SecretInput
                label={texts.telegramToken}
                isSet={client?.has.telegramToken ?? false}
                about={{ kept: texts.secretKept, none: texts.secretNone, remove: texts.remove }}
                {...fields.value('telegramToken')}
              />
            </Fieldset>
          )}
          <Fieldset legend={texts.smtp}>
            <Checkbox label={texts.smtpOwn} {...fields.box('hasSmtp')} />
            {values.hasSmtp && (
              <Stack gap="md" mt="md">
                {client?.has.smtp && (
                  <Text size="sm" c="dimmed">
                    {texts.smtpKept}
                  </Text>
                )}
                <SmtpFields fields={fields} isRequired={!client?.has.smtp} />
              </Stack>
            )}
          </Fieldset>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {common.action.cancel}
            </Button>
            <Button type="submit" loading={fields.busy} disabled={values.services.length === 0}>
              {client ? common.action.save : common.action.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </Drawer>
  );
}
