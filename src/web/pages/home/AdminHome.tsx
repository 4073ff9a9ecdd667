import { lazy, Suspense } from 'react';
import { useStatistics } from '../../api/messages.ts';
import { Loaded } from '../../parts/Loaded.tsx';
import { Panel } from '../../parts/Panel.tsx';
import { Waiting } from '../../parts/Waiting.tsx';
import { homeTexts as texts } from '../../texts/home.ts';
import { Figures } from './Figures.tsx';
import { PartsPanel } from './PartsPanel.tsx';
import { WorkspacesPanel } from './WorkspacesPanel.tsx';

// Charts weigh more than everything else together.
const Charts = lazy(() => import('./Charts.tsx').then((module) => ({ default: module.Charts })));

/** How the whole server is. */
export function AdminHome() {
  const statistics = useStatistics();
  return (
    <div className="panel-stack">
      <Figures />
      <Panel title={texts.charts} about={texts.chartsAbout}>
        <Loaded query={statistics}>
          {({ hours }) =>
            hours.length === 0 ? (
              <p className="quiet">{texts.chartsEmpty}</p>
            ) : (
              <Suspense fallback={<Waiting />}>
                <Charts hours={hours} />
              </Suspense>
            )
          }
        </Loaded>
      </Panel>
      <div className="columns">
        <PartsPanel />
        <WorkspacesPanel />
      </div>
    </div>
  );
}
