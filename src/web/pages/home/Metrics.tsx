import { Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useStatistics } from '../../api/messages.ts';
import { useAllWorkspaces } from '../../api/workspace-administration.ts';
import { Time } from '../../components/Time.tsx';
import { countOf, formatBytes, formatNumber } from '../../formats.ts';

const DAY = 24 * 3_600_000;

/** Key figures of the server. */
export function Metrics() {
  const statistics = useStatistics().data;
  const workspaces = useAllWorkspaces().data;
  const today = statistics?.hours.filter(({ hour }) => new Date(hour).getTime() > Date.now() - DAY) ?? [];
  const accepted = today.reduce((sum, row) => sum + row.accepted, 0);
  const failed = today.reduce((sum, row) => sum + row.failed, 0);
  const oldest = statistics?.waiting.map(({ since }) => since).sort()[0];
  const used = workspaces?.reduce((sum, { usedBytes }) => sum + usedBytes, 0);
  return (
    <div className="figures">
      <Metric label="Messages in 24 hours" value={statistics && formatNumber(accepted)} />
      <Metric label="Failed in 24 hours" value={statistics && formatNumber(failed)} isBad={failed > 0}>
        {failed > 0 && <Link href="/admin/messages?status=failed">Show messages</Link>}
      </Metric>
      <Metric
        label="Oldest waiting message"
        value={statistics && (oldest ? <Time value={oldest} /> : 'None')}
      >
        {oldest && <Link href="/admin/messages?status=queued">Show messages</Link>}
      </Metric>
      <Metric label="Storage used" value={used === undefined ? undefined : formatBytes(used)}>
        {workspaces && `in ${countOf(workspaces.length, 'workspace', 'workspaces')}`}
      </Metric>
    </div>
  );
}

function Metric({
  label,
  value,
  isBad = false,
  children,
}: {
  label: string;
  value: ReactNode;
  isBad?: boolean;
  children?: ReactNode;
}) {
  return (
    <Paper withBorder radius="lg" p="md" className="surface figure">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <span className="figure-value" data-bad={isBad || undefined}>
        {value ?? '…'}
      </span>
      <span className="figure-foot">{children}</span>
    </Paper>
  );
}
