import { CircleAlert, CircleCheck, CircleDashed, Images } from 'lucide-react';
import { type Check, useOverview } from '../../api/overview.ts';
import { Panel } from '../../components/Panel.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { Row, Rows } from '../../components/Rows.tsx';
import { countOf } from '../../formats.ts';
import { texts as common } from '../../texts.ts';
import { texts } from './texts.ts';

const NAMES: Record<string, string> = {
  settings: common.settings,
  'data directory': texts.dataDirectory,
  database: texts.database,
  signals: texts.signals,
  key: texts.serverKey,
  blobs: texts.fileStore,
  issuer: texts.signIn,
  smtp: common.mailServer,
  geolocation: texts.geolocation,
  discord: texts.chatPlatform,
  telegram: common.telegram,
  'public url': texts.publicAddress,
  services: texts.services,
  clock: texts.clock,
  confinement: texts.confinement,
  workspaces: common.sharedWorkspaces,
};

/** The checks of the server; failed ones come first. */
export function ChecksPanel() {
  const overview = useOverview();
  return (
    <Panel
      title={texts.serverStatus}
      description={overview.data ? texts.version(overview.data.version) : texts.checksText}
      flush
    >
      <QueryContent query={overview}>
        {({ parts, picturesPending }) => (
          <Rows label={texts.serverStatus}>
            {picturesPending > 0 && (
              <Row
                icon={<Images size={18} className="dimmed-icon" aria-hidden />}
                title={texts.previews}
                description={texts.picturesPending(countOf(picturesPending, 'picture'))}
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
const isNotSetUp = ({ ok, detail }: Check) => ok && /sandbox/i.test(detail);
const priority = (check: Check) => (!check.ok ? 0 : isNotSetUp(check) ? 1 : 2);

function CheckIcon({ check }: { check: Check }) {
  const [Icon, label, className] = !check.ok
    ? ([CircleAlert, texts.doesNotWork, 'bad-icon'] as const)
    : isNotSetUp(check)
      ? ([CircleDashed, texts.notSetUp, 'dimmed-icon'] as const)
      : ([CircleCheck, texts.works, 'good-icon'] as const);
  return (
    <span role="img" aria-label={label} title={label} className={className}>
      <Icon size={18} aria-hidden />
    </span>
  );
}
