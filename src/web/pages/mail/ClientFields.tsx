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
import { common } from '../../texts/common.ts';
import { mailTexts as texts } from '../../texts/mail.ts';
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
      <TextInput required data-autofocus {...form.field('name', common.name)} />
      <Checkbox.Group required {...form.field('services', texts.permissions)}>
        <Group mt="xs">
          {SERVICES.map((service) => (
            <Checkbox key={service} value={service} label={texts.services[service]} />
          ))}
        </Group>
      </Checkbox.Group>
      {combinesContact(form.values.services) && (
        <Alert variant="light" color="yellow" icon={<TriangleAlert size={18} />}>
          {texts.contactCombined}
        </Alert>
      )}
      <TextInput
        placeholder="Shop <shop@example.org>"
        {...form.field('sender', texts.sender, texts.senderHint)}
      />
      <Textarea {...LINES} {...form.field('sendersAllowed', texts.sendersAllowed, texts.onePerLine)} />
      <Textarea
        {...LINES}
        {...form.field('recipientsAllowed', texts.recipientsAllowed, texts.recipientsHint)}
      />
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
    <Fieldset legend={texts.limits}>
      <Group grow>
        {LIMITS.map(([path, label]) => (
          <NumberInput
            key={path}
            placeholder={texts.noLimit}
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
    <Fieldset legend={texts.contact}>
      <Stack gap="md">
        <Textarea {...LINES} {...form.field('contactTo', texts.contactTo, texts.contactToHint)} />
        <Textarea {...LINES} {...form.field('origins', texts.origins, texts.originsHint)} />
        <Checkbox {...form.checkbox('contactAcknowledges', texts.acknowledge)} />
        <TextInput {...form.field('challengeUrl', texts.challengeUrl, texts.challengeHint)} />
        <SecretInput isSet={isSet} {...form.field('challengeSecret', texts.challengeSecret)} />
      </Stack>
    </Fieldset>
  );
}

export function TelegramFields({ form, isSet }: SecretFieldsProps) {
  return (
    <Fieldset legend={texts.telegram}>
      <SecretInput isSet={isSet} {...form.field('telegramToken', texts.telegramToken)} />
    </Fieldset>
  );
}

export function SmtpFields({ form, isSet }: SecretFieldsProps) {
  return (
    <Fieldset legend={texts.smtp}>
      <Checkbox {...form.checkbox('hasSmtp', texts.smtpOwn)} />
      {form.values.hasSmtp && (
        <Stack gap="md" mt="md">
          {isSet && (
            <Text size="sm" c="dimmed">
              {texts.smtpSet}
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
      <NativeSelect
        data={SECURITIES.map((value) => ({ value, label: texts.securities[value] }))}
        {...form.field('smtp.security', texts.security)}
      />
      <Group align="flex-start" grow>
        <TextInput autoComplete="off" {...form.field('smtp.credentials.username', texts.username)} />
        <PasswordInput
          autoComplete="new-password"
          {...form.field('smtp.credentials.password', common.password)}
        />
      </Group>
    </>
  );
}
