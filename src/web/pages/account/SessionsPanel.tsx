import { Badge, Button } from '@mantine/core';
import { MonitorSmartphone } from 'lucide-react';
import { useEnd, useSessions } from '../../api/people.ts';
import { Loaded } from '../../parts/Loaded.tsx';
import { Panel } from '../../parts/Panel.tsx';
import { Row, Rows } from '../../parts/Rows.tsx';
import { Time } from '../../parts/Time.tsx';
import { accountTexts as texts } from '../../texts/people.ts';
import { browserName } from './browser-name.ts';

/** Where one is signed in, with a way to end each. */
export function SessionsPanel() {
  const sessions = useSessions();
  const end = useEnd('sessions');
  return (
    <Panel title={texts.sessions} about={texts.sessionsAbout} flush>
      <Loaded query={sessions}>
        {(list) => (
          <Rows label={texts.sessions}>
            {list.map(({ id, userAgent, dateUsed, current }) => (
              <Row
                key={id}
                icon={<MonitorSmartphone size={18} />}
                title={<span title={userAgent}>{browserName(userAgent)}</span>}
                signs={current && <Badge variant="light">{texts.thisOne}</Badge>}
                about={
                  <>
                    {texts.lastUsed} <Time value={dateUsed} />
                  </>
                }
                actions={
                  !current && (
                    <Button
                      size="xs"
                      variant="subtle"
                      color="red"
                      aria-label={texts.signOutOf(browserName(userAgent))}
                      onClick={() => end.mutate(id)}
                    >
                      {texts.signOut}
                    </Button>
                  )
                }
              />
            ))}
          </Rows>
        )}
      </Loaded>
    </Panel>
  );
}
