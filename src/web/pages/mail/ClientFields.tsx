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
import { optionsOf } from '../../components/options.ts';
import type { ClientForm } from './client-form.ts';
import { SecretInput } from './SecretInput.tsx';

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
      <TextInput required data-autofocus {...form.field('name', 'Name')} />
      <Checkbox.Group required {...form.field('services', 'Permissions')}>
        <Group mt="xs">
          {optionsOf(SERVICES).map((service) => (
            <Checkbox key={service.value} {...service} />
          ))}
        </Group>
      </Checkbox.Group>
      {combinesContact(form.values.services) && (
        <Alert variant="light" color="yellow" icon={<TriangleAlert size={18} />}>
          The secret of a contact form is public. Combined with another service, it allows anyone to send
          through that service. Create a client for the contact form alone.
        </Alert>
      )}
      <TextInput
        placeholder="Shop <shop@example.org>"
        {...form.field('sender', 'Sender', 'The default From address. Empty: the sender of this server.')}
      />
      <Textarea
        {...LINES}
        {...form.field('sendersAllowed', 'Other allowed senders', 'Addresses or @domains, one per line.')}
      />
      <Textarea
        {...LINES}
        {...form.field(
          'recipientsAllowed',
          'Allowed recipients',
          'Addresses or @domains, one per line. Empty: any recipient.',
        )}
      />
    </>
  );
}

const LIMITS = [
  ['limits.second', 'per second'],
  ['limits.hour', 'per hour'],
  ['limits.day', 'per day'],
] as const;

export function LimitFields({ form }: FieldsProps) {
  return (
    <Fieldset legend="Rate limit">
      <Group grow>
        {LIMITS.map(([path, label]) => (
          <NumberInput
            key={path}
            placeholder="no limit"
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
    <Fieldset legend="Contact form">
      <Stack gap="md">
        <Textarea
          {...LINES}
          required
          {...form.field('contactTo', 'Recipients of contact messages', 'One address per line.')}
        />
        <Checkbox
          {...form.checkbox('serverOnly', 'Called by my server only', 'Requests of web pages are refused.')}
        />
        {!form.values.serverOnly && <PageFields form={form} />}
        <Checkbox {...form.checkbox('contactAcknowledges', 'Send visitors a confirmation mail')} />
        <TextInput
          {...form.field(
            'challengeUrl',
            'Captcha verification URL',
            'The address where Turnstile, hCaptcha or a similar service verifies visitors. Empty: none.',
          )}
        />
        <SecretInput isSet={isSet} {...form.field('challengeSecret', 'Captcha secret')} />
      </Stack>
    </Fieldset>
  );
}

function PageFields({ form }: FieldsProps) {
  return (
    <>
      <Textarea
        {...LINES}
        required
        {...form.field(
          'origins',
          'Allowed origins',
          'Sites with the form, such as https://www.example.org, one per line.',
        )}
      />
      <TextInput
        placeholder="https://www.example.org/thank-you"
        {...form.field(
          'redirectUrl',
          'Page after sending',
          'A page of these sites, for visitors without script. Empty: a page of this server.',
        )}
      />
    </>
  );
}

export function TelegramFields({ form, isSet }: SecretFieldsProps) {
  return (
    <Fieldset legend="Telegram">
      <Text size="sm" c="dimmed" mb="xs">
        From @BotFather in Telegram: /newbot or /mybots. Empty: the bot of Posthouse.
      </Text>
      <SecretInput isSet={isSet} {...form.field('telegramToken', 'Bot token')} />
    </Fieldset>
  );
}

export function SmtpFields({ form, isSet }: SecretFieldsProps) {
  return (
    <Fieldset legend="Mail server">
      <Checkbox {...form.checkbox('hasSmtp', 'Use a separate mail server for this client')} />
      {form.values.hasSmtp && (
        <Stack gap="md" mt="md">
          {isSet && (
            <Text size="sm" c="dimmed">
              A mail server is set. Fill in these fields only to replace it.
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
          {...form.field('smtp.host', 'Host')}
        />
        <NumberInput
          min={1}
          max={65_535}
          allowDecimal={false}
          flex={1}
          {...form.field('smtp.port', 'Port')}
        />
      </Group>
      <NativeSelect data={optionsOf(SECURITIES)} {...form.field('smtp.security', 'Security')} />
      <Group align="flex-start" grow>
        <TextInput autoComplete="off" {...form.field('smtp.credentials.username', 'User name')} />
        <PasswordInput autoComplete="new-password" {...form.field('smtp.credentials.password', 'Password')} />
      </Group>
    </>
  );
}
