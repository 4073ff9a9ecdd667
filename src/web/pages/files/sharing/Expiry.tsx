import { SegmentedControl, Text } from '@mantine/core';
import type { FolderLink } from '../../../api/links.ts';
import { optionsOf } from '../../../components/options.ts';
import { EndTime } from '../../../components/Time.tsx';
import { DAY } from '../../../formats.ts';
import { texts as common } from '../../../texts.ts';
import { texts } from './texts.ts';

interface ExpiryProps {
  link: Pick<FolderLink, 'expiresAt'>;
  /** `kept` = unchanged, `never`, or days from now. */
  value: string;
  change(value: string): void;
}

const CHOICES = { never: texts.never, '1': texts.day1, '7': texts.days7, '30': common.days30 };

/** Chooses when a link expires. */
export function Expiry({ link: { expiresAt: present }, value, change }: ExpiryProps) {
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {value === 'kept' && present !== null ? (
          <EndTime value={present} before={common.expires} after={common.expired} />
        ) : (
          common.expires
        )}
      </Text>
      <SegmentedControl
        fullWidth
        aria-label={common.expires}
        value={value}
        onChange={change}
        data={[...(present === null ? [] : [{ value: 'kept', label: texts.asNow }]), ...optionsOf(CHOICES)]}
      />
    </div>
  );
}

/** Returns the time that a choice other than `kept` names, in ISO 8601; null = never. */
export function expiresAt(choice: string): string | null {
  return choice === 'never' ? null : new Date(Date.now() + Number(choice) * DAY).toISOString();
}
