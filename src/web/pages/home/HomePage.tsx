import { useStatistics } from '../../api/messages.ts';
import type { Me } from '../../api/session.ts';
import { Page } from '../../components/Page.tsx';
import { Panel } from '../../components/Panel.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { texts as common } from '../../texts.ts';
import { UsageBar } from '../files/UsageBar.tsx';
import { Charts } from './Charts.tsx';
import { ChecksPanel } from './ChecksPanel.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { Metrics } from './Metrics.tsx';
import { RecentPanel } from './RecentPanel.tsx';
import { SharedPanel } from './SharedPanel.tsx';
import { TeamsPanel } from './TeamsPanel.tsx';
import { texts } from './texts.ts';
import { WorkspacesPanel } from './WorkspacesPanel.tsx';

/** The files of the person and, for administrators, the state of the server. */
export function HomePage({ me }: { me: Me }) {
  const isAdmin = me.role === 'admin';
  return (
    <Page title={common.home} description={texts.hello(me.name || me.email)}>
      <div className="panel-stack">
        {isAdmin && <FirstSteps />}
        {isAdmin && <Metrics />}
        {me.rootFolderId && (
          <div className="columns">
            <RecentPanel />
            <SharedPanel />
          </div>
        )}
        {me.rootFolderId && <TeamsPanel />}
        {me.rootFolderId && !isAdmin && (
          <Panel title={texts.storage}>
            <UsageBar />
          </Panel>
        )}
        {isAdmin && <MessagesPanel />}
        {isAdmin && (
          <div className="columns">
            <ChecksPanel />
            <WorkspacesPanel />
          </div>
        )}
      </div>
    </Page>
  );
}

function MessagesPanel() {
  const statistics = useStatistics();
  return (
    <Panel title={texts.perHour} description={texts.perHourText}>
      <QueryContent query={statistics}>
        {({ hours }) =>
          hours.length === 0 ? <p className="quiet">{texts.noMessages}</p> : <Charts hours={hours} />
        }
      </QueryContent>
    </Panel>
  );
}
