import {
  Alert,
  Checkbox,
  Fieldset,
  Group,
  NativeSelect,
  NumberInput,
  PasswordInput,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { combinesContact, SECURITIES, SERVICES } from '../../api/mail.ts';
import { LANGUAGES } from '../../components/languages.ts';
import { optionsOf } from '../../components/options.ts';
import { texts as common } from '../../texts.ts';
import type { ClientForm } from './client-form.ts';
import { SecretInput } from './SecretInput.tsx';
import { texts } from './texts.ts';

interface FieldsProps {
  form: ClientForm;
}
interface SecretFieldsProps extends FieldsProps {
  /** Whether the client already has this secret. */
  isSet: boolean;
}

const LINES = { autosize: true, minRows: 1 };

export function GeneralFields({ form }: FieldsProps) {
  return (
    <>
      <TextInput required data-autofocus {...form.field('name', common.name)} />
      <Checkbox.Group required {...form.field('services', texts.permissions)}>
        <Group mt="xs">
          {optionsOf(SERVICES).map((service) => (
            <Checkbox key={service.value} {...service} />
          ))}
        </Group>
      </Checkbox.Group>
      {combinesContact(form.values.services) && (
        <Alert variant="light" color="yellow" icon={<TriangleAlert size={18} />}>
          {texts.contactAlone}
        </Alert>
      )}
      <TextInput
        placeholder="Shop <shop@example.org>"
        {...form.field('sender', texts.sender, texts.senderText)}
      />
      <Textarea {...LINES} {...form.field('sendersAllowed', texts.otherSenders, texts.otherSendersText)} />
      <Textarea {...LINES} {...form.field('recipientsAllowed', texts.recipients, texts.recipientsText)} />
    </>
  );
}

const LIMITS = [
  ['limits.second', texts.perSecond],
  ['limits.hour', texts.perHour],
  ['limits.day', texts.perDay],
] as const;

export function LimitFields({ form }: FieldsProps) {
  return (
    <Fieldset legend={texts.rateLimit}>
      <Group grow align="flex-end">
        {LIMITS.map(([path, label]) => (
          <NumberInput
            key={path}
            placeholder={texts.noLimit}
            hideControls
            min={1}
            allowDecimal={false}
            {...form.field(path, label)}
          />
        ))}
      </Group>
    </Fieldset>
  );
}

export function ContactFields({ form, isSet }: SecretFieldsProps) {
  return (
    <Fieldset legend={common.contactForm}>
      <Stack gap="md">
        <Textarea {...LINES} required {...form.field('contactTo', texts.contactTo, texts.contactToText)} />
        <NativeSelect
          data={optionsOf(LANGUAGES)}
          {...form.field('contactLanguage', texts.contactLanguage, texts.contactLanguageText)}
        />
        <Checkbox {...form.checkbox('serverOnly', texts.serverOnly, texts.serverOnlyText)} />
        {!form.values.serverOnly && <PageFields form={form} />}
        <Checkbox {...form.checkbox('contactAcknowledges', texts.confirmation)} />
        <TextInput {...form.field('challengeUrl', texts.captchaUrl, texts.captchaUrlText)} />
        <SecretInput isSet={isSet} {...form.field('challengeSecret', texts.captchaSecret)} />
      </Stack>
    </Fieldset>
  );
}

function PageFields({ form }: FieldsProps) {
  return (
    <>
      <Textarea {...LINES} required {...form.field('origins', texts.origins, texts.originsText)} />
      <TextInput
        placeholder="https://www.example.org/thank-you"
        {...form.field('redirectUrl', texts.afterSending, texts.afterSendingText)}
      />
    </>
  );
}

export function TelegramFields({ form, isSet }: SecretFieldsProps) {
  return (
    <Fieldset legend={common.telegram}>
      <Text size="sm" c="dimmed" mb="xs">
        {texts.botFather}
      </Text>
      <SecretInput isSet={isSet} {...form.field('telegramToken', common.botToken)} />
    </Fieldset>
  );
}

export function SmtpFields({ form, isSet }: SecretFieldsProps) {
  return (
    <Fieldset legend={common.mailServer}>
      <Checkbox {...form.checkbox('hasSmtp', texts.ownServer)} />
      {form.values.hasSmtp && (
        <Stack gap="md" mt="md">
          {isSet && (
            <Text size="sm" c="dimmed">
              {texts.serverSet}
            </Text>
          )}
          <ServerFields form={form} isSet={isSet} />
        </Stack>
      )}
    </Fieldset>
  );
}

function ServerFields({ form, isSet }: SecretFieldsProps) {
  return (
    <>
      <Group align="flex-start" grow preventGrowOverflow={false}>
        <TextInput
          placeholder="smtp.example.org"
          required={!isSet}
          flex={2}
          {...form.field('smtp.host', texts.host)}
        />
        <NumberInput
          min={1}
          max={65_535}
          allowDecimal={false}
          flex={1}
          {...form.field('smtp.port', texts.port)}
        />
      </Group>
      <NativeSelect data={optionsOf(SECURITIES)} {...form.field('smtp.security', texts.security)} />
      <Group align="flex-start" grow>
        <TextInput autoComplete="off" {...form.field('smtp.credentials.username', texts.userName)} />
        <PasswordInput
          autoComplete="new-password"
          {...form.field('smtp.credentials.password', common.password)}
        />
      </Group>
    </>
  );
}
