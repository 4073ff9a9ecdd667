import { Checkbox, PasswordInput, Stack } from '@mantine/core';

interface SecretInputProps {
  name: string;
  label: string;
  /** The server has one. */
  isSet: boolean;
  about: { kept: string; none: string; remove: string };
  /** '' = as it is, null = none any more. */
  value: string | null;
  error?: string;
  onChange(value: string | null): void;
}

/** A secret that goes in and never comes out. */
export function SecretInput({ name, label, isSet, about, value, error, onChange }: SecretInputProps) {
  return (
    <Stack gap="xs">
      <PasswordInput
        name={name}
        label={label}
        description={isSet ? about.kept : about.none}
        autoComplete="off"
        disabled={value === null}
        value={value ?? ''}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {isSet && (
        <Checkbox label={about.remove} checked={value === null} onChange={(event) => onChange(event.currentTarget.checked ? null : '')} />
      )}
    </Stack>
  );
}
