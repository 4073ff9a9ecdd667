import { Group, NativeSelect, TextInput } from '@mantine/core';
import { createToken, SCOPES, type Token, useRefreshAccounts } from '../../api/account.ts';
import { FormDialog } from '../../components/FormDialog.tsx';
import { optionsOf } from '../../components/options.ts';
import { useApiForm } from '../../components/useApiForm.ts';
import { texts as common } from '../../texts.ts';
import { texts } from './texts.ts';

const DAYS = [7, 30, 90, 365];

interface TokenDialogProps {
  onCreated(token: string): void;
  close(): void;
}

/** Creates a personal access token. */
export function TokenDialog({ onCreated, close }: TokenDialogProps) {
  const refresh = useRefreshAccounts();
  const form = useApiForm(
    { name: '', scope: 'write' as Token['scope'], days: '90' },
    async ({ days, ...fields }) => {
      const { token } = await createToken({ ...fields, days: Number(days) });
      onCreated(token);
      await refresh();
      close();
    },
  );
  return (
    <FormDialog title={common.newToken} form={form} submitLabel={texts.createToken} close={close}>
      <TextInput required data-autofocus autoComplete="off" {...form.field('name', common.name)} />
      <Group grow preventGrowOverflow={false}>
        <NativeSelect miw={170} data={optionsOf(SCOPES)} {...form.field('scope', texts.scope)} />
        <NativeSelect
          miw={170}
          data={DAYS.map((days) => ({
            value: String(days),
            label: days === 365 ? common.oneYear : texts.days(days),
          }))}
          {...form.field('days', common.validFor)}
        />
      </Group>
    </FormDialog>
  );
}
