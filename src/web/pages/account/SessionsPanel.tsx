import { Badge } from '@mantine/core';
import { MonitorSmartphone } from 'lucide-react';
import { endSession, type Session, useAccountChange, useSessions } from '../../api/account.ts';
import { Actions } from '../../components/actions.tsx';
import { Panel } from '../../components/Panel.tsx';
import { QueryRows, Row } from '../../components/Rows.tsx';
import { Time } from '../../components/Time.tsx';
import { texts as common } from '../../texts.ts';
import { browserName } from './browser-name.ts';
import { texts } from './texts.ts';

/** The open sessions of the account, with buttons to end them. */
export function SessionsPanel() {
  const sessions = useSessions();
  return (
    <Panel title={texts.sessions} description={texts.sessionsText} flush>
      <QueryRows
        query={sessions}
        label={texts.sessions}
        row={(session) => <SessionRow key={session.id} session={session} />}
      />
    </Panel>
  );
}

function SessionRow({ session: { id, userAgent, dateUsed, current } }: { session: Session }) {
  const change = useAccountChange();
  const name = browserName(userAgent);
  return (
    <Row
      icon={<MonitorSmartphone size={18} />}
      title={<span title={userAgent}>{name}</span>}
      badges={current && <Badge variant="light">{texts.thisBrowser}</Badge>}
      description={
        <>
          {common.lastUsed} <Time value={dateUsed} />
        </>
      }
      actions={
        <Actions
          name={name}
          buttons={[
            !current && {
              label: common.signOut,
              ariaLabel: texts.signOutOf(name),
              danger: true,
              run: () => change.mutate(() => endSession(id)),
            },
          ]}
        />
      }
    />
  );
}
