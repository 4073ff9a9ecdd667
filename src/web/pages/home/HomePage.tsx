import { useStatistics } from '../../api/messages.ts';
import type { Me } from '../../api/session.ts';
import { Page } from '../../components/Page.tsx';
import { Panel } from '../../components/Panel.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { Charts } from './Charts.tsx';
import { ChecksPanel } from './ChecksPanel.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { Metrics } from './Metrics.tsx';
import { WorkspacesPanel } from './WorkspacesPanel.tsx';

/** The state of the server, for administrators. */
export function HomePage({ me }: { me: Me }) {
  const statistics = useStatistics();
  return (
    <Page title="Home" description={`Hello, ${me.name || me.email}`}>
      <div className="panel-stack">
        <FirstSteps />
        <Metrics />
        <Panel title="Messages per hour" description="The last two days, by kind, with failures below.">
          <QueryContent query={statistics}>
            {({ hours }) =>
              hours.length === 0 ? (
                <p className="quiet">No messages in the last two days.</p>
              ) : (
                <Charts hours={hours} />
              )
            }
          </QueryContent>
        </Panel>
        <div className="columns">
          <ChecksPanel />
          <WorkspacesPanel />
        </div>
      </div>
    </Page>
  );
}
