import { Group, Progress, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { keys } from '../../api/keys.ts';
import { getUsage } from '../../api/storage.ts';
import { formatBytes, percentOf } from '../../formats.ts';
import { texts } from './texts.ts';

/** The space used by a workspace, and the space left. @param workspaceId undefined = the personal workspace */
export function UsageBar({ workspaceId }: { workspaceId?: string }) {
  const usage = useQuery({
    queryKey: [...keys.usage, workspaceId],
    queryFn: () => getUsage(workspaceId),
  });
  if (!usage.data) return null;
  const { usedBytes, maxBytes } = usage.data;
  const left = Math.max(0, maxBytes - usedBytes);
  const percent = percentOf(usedBytes, maxBytes);
  return (
    <div className="usage">
      <Progress
        value={percent}
        color={percent > 95 ? 'red' : percent > 85 ? 'yellow' : undefined}
        aria-label={texts.spaceUsed}
        size="sm"
        mb={6}
      />
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed" className="usage-used">
          {texts.usedOf(formatBytes(usedBytes), formatBytes(maxBytes))}
        </Text>
        <Text size="xs" c="dimmed">
          {left === 0 ? texts.full : texts.left(formatBytes(left))}
        </Text>
      </Group>
    </div>
  );
}
