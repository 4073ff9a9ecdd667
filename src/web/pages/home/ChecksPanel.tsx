import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react';
import { type Part as Check, useOverview } from '../../api/overview.ts';
import { Panel } from '../../components/Panel.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { Row, Rows } from '../../components/Rows.tsx';
import { homeTexts as texts } from '../../texts/home.ts';

/** The checks of the server; failed ones come first. */
export function ChecksPanel() {
  const overview = useOverview();
  return (
    <Panel
      title={texts.checks}
      description={overview.data ? texts.version(overview.data.version) : texts.checksHint}
      flush
    >
      <QueryContent query={overview}>
        {({ parts }) => (
          <Rows label={texts.checks}>
            {parts
              .toSorted((a, b) => priority(a) - priority(b))
              .map((check) => (
                <Row
                  key={check.name}
                  icon={<CheckIcon check={check} />}
                  title={texts.checkNames[check.name] ?? check.name}
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
    ? ([CircleAlert, texts.checkFailed, 'bad-icon'] as const)
    : isNotSetUp(check)
      ? ([CircleDashed, texts.notSetUp, 'dimmed-icon'] as const)
      : ([CircleCheck, texts.checkPassed, 'good-icon'] as const);
  return (
    <span role="img" aria-label={label} title={label} className={className}>
      <Icon size={18} aria-hidden />
    </span>
  );
}
