import { Badge } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { Actions, confirmedAction } from './actions.tsx';
import { Row } from './Rows.tsx';
import { EndTime, Time } from './Time.tsx';
import { texts } from './texts.ts';
import { useNow } from './useNow.ts';

interface TokenRowProps {
  token: { name: string; dateUsed: string | null; expiresAt: string | null };
  /** Scope or role of the token. */
  right: string;
  /** Reports its own errors, and then rejects. */
  revoke(): Promise<unknown>;
}

/** A token in a list, with a button that revokes it. */
export function TokenRow({ token: { name, dateUsed, expiresAt }, right, revoke }: TokenRowProps) {
  const now = useNow();
  const isExpired = expiresAt !== null && new Date(expiresAt).getTime() <= now;
  return (
    <Row
      icon={<KeyRound size={18} />}
      title={name}
      faint={isExpired}
      badges={
        <>
          <Badge color="gray">{right}</Badge>
          {isExpired && <Badge color="red">{texts.expired}</Badge>}
        </>
      }
      description={
        <>
          {dateUsed ? texts.lastUsed : texts.neverUsed} {dateUsed && <Time value={dateUsed} />}
          {expiresAt && (
            <>
              {' · '}
              <EndTime value={expiresAt} before={texts.expires} after={texts.expiredAt} />
            </>
          )}
        </>
      }
      actions={
        <Actions
          name={name}
          buttons={[
            confirmedAction({
              label: texts.revoke,
              ariaLabel: texts.revokeNamed(name),
              title: texts.revokeTitle(name),
              text: texts.revokeText,
              confirm: revoke,
            }),
          ]}
        />
      }
    />
  );
}
