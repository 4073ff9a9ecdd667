import { CircleAlert, CircleCheck, CircleDashed, Images } from 'lucide-react';
import { type Part as Check, useOverview } from '../../api/overview.ts';
import { Panel } from '../../components/Panel.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { Row, Rows } from '../../components/Rows.tsx';

const NAMES: Record<string, string> = {
  settings: 'Settings',
  'data directory': 'Data directory',
  database: 'Database',
  signals: 'Signals between nodes',
  key: 'Server key',
  blobs: 'File store',
  issuer: 'Sign-in',
  smtp: 'Mail server',
  discord: 'Chat platform',
  telegram: 'Telegram',
  'public url': 'Public address',
  services: 'Services',
  clock: 'Clock',
  confinement: 'Isolation of untrusted files and templates',
  workspaces: 'Shared workspaces',
};

/** The checks of the server; failed ones come first. */
export function ChecksPanel() {
  const overview = useOverview();
  return (
    <Panel
      title="Server status"
      description={
        overview.data ? `Posthouse ${overview.data.version}` : 'Configured services and whether they work.'
      }
      flush
    >
      <QueryContent query={overview}>
        {({ parts, picturesPending }) => (
          <Rows label="Server status">
            {picturesPending > 0 && (
              <Row
                icon={<Images size={18} className="dimmed-icon" aria-hidden />}
                title="Previews of pictures"
                description={`${picturesPending.toLocaleString()} pictures are still to be rendered`}
              />
            )}
            {parts
              .toSorted((a, b) => priority(a) - priority(b))
              .map((check) => (
                <Row
                  key={check.name}
                  icon={<CheckIcon check={check} />}
                  title={NAMES[check.name] ?? check.name}
                  description={check.detail}
                />
              ))}
          </Rows>
        )}
      </QueryContent>
    </Panel>
  );
}

/** Whether a service is not configured and uses the sandbox instead. */
const isNotSetUp = ({ ok, detail }: Check) => ok && detail.includes('sandbox');
const priority = (check: Check) => (!check.ok ? 0 : isNotSetUp(check) ? 1 : 2);

function CheckIcon({ check }: { check: Check }) {
  const [Icon, label, className] = !check.ok
    ? ([CircleAlert, 'Does not work', 'bad-icon'] as const)
    : isNotSetUp(check)
      ? ([CircleDashed, 'Not set up', 'dimmed-icon'] as const)
      : ([CircleCheck, 'Works', 'good-icon'] as const);
  return (
    <span role="img" aria-label={label} title={label} className={className}>
      <Icon size={18} aria-hidden />
    </span>
  );
}
