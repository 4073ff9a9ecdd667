import { Group, NativeSelect, NumberInput, PasswordInput, TextInput } from '@mantine/core';
import { SECURITIES } from '../../api/mail.ts';
import type { useFields } from '../../parts/useFields.ts';
import { mailTexts as texts } from '../../texts/mail.ts';
import type { ClientFields } from './client-fields.ts';

/** The mail server of a client. */
export function SmtpFields({ fields, isRequired }: { fields: ReturnType<typeof useFields<ClientFields>>; isRequired: boolean }) {
  return (
    <>
      <Group align="flex-start" grow preventGrowOverflow={false}>
        <TextInput label={texts.host} placeholder="smtp.example.org" required={isRequired} flex={2} {...fields.text('smtpHost')} />
        <NumberInput label={texts.port} min={1} max={65_535} allowDecimal={false} flex={1} {...fields.value('smtpPort')} />
      </Group>
      <NativeSelect
        label={texts.security}
        data={SECURITIES.map((value) => ({ value, label: texts.securities[value] }))}
        {...fields.text('smtpSecurity')}
      />
      <Group align="flex-start" grow>
        <TextInput label={texts.username} autoComplete="off" {...fields.text('smtpUsername')} />
        <PasswordInput label={texts.password} autoComplete="new-password" {...fields.text('smtpPassword')} />
      </Group>
    </>
  );
}
