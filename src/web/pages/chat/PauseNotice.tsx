import { Alert, Button, Group, Text } from '@mantine/core';
import { CirclePause } from 'lucide-react';
import type { Pause } from '../../api/chat.ts';
import { Time } from '../../parts/Time.tsx';
import { chatTexts as texts } from '../../texts/chat.ts';

/** Why nothing is sent there at the moment, and how that ends. */
export function PauseNotice({ pause, lift }: { pause: Pause; lift(): void }) {
  return (
    <Alert color="red" variant="light" icon={<CirclePause size={18} />} className="pause-notice">
      <Group justify="space-between" gap="sm">
        <div className="pause-words">
          <Text size="sm" fw={500}>
            {texts.pausedAbout(pause.reason)} · <Time value={pause.since} />
          </Text>
          <Text size="sm">{texts.pausedHelp}</Text>
        </div>
        <Button size="xs" variant="default" onClick={lift}>
          {texts.lift}
        </Button>
      </Group>
    </Alert>
  );
}
