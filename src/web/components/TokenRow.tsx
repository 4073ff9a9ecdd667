import { Badge } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { Actions, confirmedAction } from './actions.tsx';
import { Row } from './Rows.tsx';
import { Time } from './Time.tsx';

interface TokenRowProps {
  token: { name: string; dateUsed: string | null; expiresAt: string | null };
  /** What the token permits. */
  right: string;
  /** Reports its own errors, and rejects then. */
  revoke(): Promise<unknown>;
}

/** A token in a list, with a button that revokes it. */
export function TokenRow({ token: { name, dateUsed, expiresAt }, right, revoke }: TokenRowProps) {
  const isExpired = expiresAt !== null && new Date(expiresAt).getTime() < Date.now();
  return (
    <Row
      icon={<KeyRound size={18} />}
      title={name}
      faint={isExpired}
      badges={
        <>
          <Badge color="gray">{right}</Badge>
          {isExpired && <Badge color="red">Expired</Badge>}
        </>
      }
      description={
        <>
          {dateUsed ? 'Last used' : 'Never used'} {dateUsed && <Time value={dateUsed} />}
          {expiresAt && (
            <>
              {' · expires '}
              <Time value={expiresAt} />
            </>
          )}
        </>
      }
      actions={
        <Actions
          name={name}
          buttons={[
            confirmedAction({
              label: 'Revoke',
              ariaLabel: `Revoke ${name}`,
              title: `Revoke “${name}”?`,
              text: 'Programs that use this token stop working at once.',
              confirm: revoke,
            }),
          ]}
        />
      }
    />
  );
}
