import { useStatistics } from '../../api/messages.ts';
import { Loaded } from '../../parts/Loaded.tsx';
import { Panel } from '../../parts/Panel.tsx';
import { homeTexts as texts } from '../../texts/home.ts';
import { Charts } from './Charts.tsx';
import { Figures } from './Figures.tsx';
import { PartsPanel } from './PartsPanel.tsx';
import { WorkspacesPanel } from './WorkspacesPanel.tsx';

/** How the whole server is. */
export function AdminHome() {
  const statistics = useStatistics();
  return (
    <div className="panel-stack">
      <Figures />
      <Panel title={texts.charts} about={texts.chartsAbout}>
        <Loaded query={statistics}>
          {({ hours }) => (hours.length === 0 ? <p className="quiet">{texts.chartsEmpty}</p> : <Charts hours={hours} />)}
        </Loaded>
      </Panel>
      <div className="columns">
        <PartsPanel />
        <WorkspacesPanel />
      </div>
    </div>
  );
}
