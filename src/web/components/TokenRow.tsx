import { Badge } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { texts as common } from '../texts.ts';
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
          {isExpired && <Badge color="red">{common.expired}</Badge>}
        </>
      }
      description={
        <>
          {dateUsed ? common.lastUsed : texts.neverUsed} {dateUsed && <Time value={dateUsed} />}
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
              label: common.revoke,
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
