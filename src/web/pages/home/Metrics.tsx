import { Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useStatistics } from '../../api/messages.ts';
import { useOverview } from '../../api/overview.ts';
import { useAllWorkspaces } from '../../api/workspace-administration.ts';
import { Time } from '../../components/Time.tsx';
import { countOf, DAY, formatBytes, formatNumber } from '../../formats.ts';
import { texts as common } from '../../texts.ts';
import { texts } from './texts.ts';

/** Key figures of the server. */
export function Metrics() {
  const statistics = useStatistics().data;
  const workspaces = useAllWorkspaces().data;
  const overview = useOverview().data;
  const today = statistics?.hours.filter(({ hour }) => new Date(hour).getTime() > Date.now() - DAY) ?? [];
  const accepted = today.reduce((sum, row) => sum + row.accepted, 0);
  const failed = today.reduce((sum, row) => sum + row.failed, 0);
  const oldest = statistics?.waiting.map(({ since }) => since).sort()[0];
  const used = workspaces?.reduce((sum, { usedBytes }) => sum + usedBytes, 0);
  return (
    <div className="figures">
      <Metric label={texts.messages24} value={statistics && formatNumber(accepted)} />
      <Metric label={texts.failed24} value={statistics && formatNumber(failed)} isBad={failed > 0}>
        {failed > 0 && <Link href="/admin/messages?status=failed">{texts.showMessages}</Link>}
      </Metric>
      <Metric
        label={texts.oldestWaiting}
        value={statistics && (oldest ? <Time value={oldest} /> : common.none)}
      >
        {oldest && <Link href="/admin/messages?status=queued">{texts.showMessages}</Link>}
      </Metric>
      <Metric label={texts.storageUsed} value={used === undefined ? undefined : formatBytes(used)}>
        {workspaces && texts.inWorkspaces(countOf(workspaces.length, 'workspace'))}
        {overview && overview.links > 0 && ` · ${countOf(overview.links, 'link')}`}
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
