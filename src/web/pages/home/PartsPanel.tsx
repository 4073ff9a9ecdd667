import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react';
import { type Part, useOverview } from '../../api/overview.ts';
import { Loaded } from '../../parts/Loaded.tsx';
import { Panel } from '../../parts/Panel.tsx';
import { Row, Rows } from '../../parts/Rows.tsx';
import { homeTexts as texts } from '../../texts/home.ts';

/** What is set up, what is missing, and whether it works; what needs care comes first. */
export function PartsPanel() {
  const overview = useOverview();
  return (
    <Panel title={texts.parts} about={overview.data ? texts.version(overview.data.version) : texts.partsAbout} flush>
      <Loaded query={overview}>
        {({ parts }) => (
          <Rows label={texts.parts}>
            {[...parts]
              .sort((a, b) => place(a) - place(b))
              .map((part) => (
                <Row key={part.name} icon={<PartSign part={part} />} title={texts.partNames[part.name] ?? part.name} about={part.detail} />
              ))}
          </Rows>
        )}
      </Loaded>
    </Panel>
  );
}

/** Nothing is wrong, but something goes to the sandbox. */
const isOff = ({ ok, detail }: Part) => ok && detail.includes('sandbox');
const place = (part: Part) => (!part.ok ? 0 : isOff(part) ? 1 : 2);

function PartSign({ part }: { part: Part }) {
  const [Icon, label, className] = !part.ok
    ? ([CircleAlert, texts.bad, 'bad-icon'] as const)
    : isOff(part)
      ? ([CircleDashed, texts.off, 'dimmed-icon'] as const)
      : ([CircleCheck, texts.good, 'good-icon'] as const);
  return (
    <span role="img" aria-label={label} title={label} className={className}>
      <Icon size={18} aria-hidden />
    </span>
  );
}
