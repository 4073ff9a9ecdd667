import { Alert, Box, Button, Group, Text } from '@mantine/core';
import { CirclePause } from 'lucide-react';
import type { Pause } from '../../api/chat.ts';
import { Time } from '../../components/Time.tsx';
import { texts } from './texts.ts';

/** Why sending is paused, with a button to resume. */
export function PauseNotice({ pause, resume }: { pause: Pause; resume(): void }) {
  return (
    <Alert color="red" variant="light" icon={<CirclePause size={18} />} className="pause-notice">
      <Group justify="space-between" gap="sm">
        <Box flex={1} miw={220}>
          <Text size="sm" fw={600}>
            {texts.refused(pause.reason)} · <Time value={pause.since} />
          </Text>
          <Text size="sm">{texts.pauseText}</Text>
        </Box>
        <Button size="xs" variant="default" onClick={resume}>
          {texts.resume}
        </Button>
      </Group>
    </Alert>
  );
}
