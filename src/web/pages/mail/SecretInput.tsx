import { Checkbox, PasswordInput, Stack } from '@mantine/core';
import { texts as common } from '../../texts.ts';
import { texts } from './texts.ts';

interface SecretInputProps {
  name?: string;
  label: string;
  /** Whether the server has a value. */
  isSet: boolean;
  /** '' keeps the value of the server, null removes it. */
  value?: string | null;
  error?: string;
  onChange?(value: string | null): void;
}

/** A secret that can be set, replaced and removed, but never read. */
export function SecretInput({ name, label, isSet, value, error, onChange }: SecretInputProps) {
  return (
    <Stack gap="xs">
      <PasswordInput
        name={name}
        label={label}
        description={isSet ? texts.valueSet : texts.encrypted}
        autoComplete="off"
        disabled={value === null}
        value={value ?? ''}
        error={error}
        onChange={(event) => onChange?.(event.currentTarget.value)}
      />
      {isSet && (
        <Checkbox
          label={common.remove}
          checked={value === null}
          onChange={(event) => onChange?.(event.currentTarget.checked ? null : '')}
        />
      )}
    </Stack>
  );
}
