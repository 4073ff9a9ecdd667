import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { FileMetadata } from '../../../api/storage.ts';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { texts as common } from '../../../texts.ts';
import { Setting } from './Setting.tsx';
import { texts } from './texts.ts';
import type { FileChange } from './useFileChange.ts';

interface AccessKeyProps {
  file: FileMetadata;
  change: FileChange;
}

/** The key that visitors need, in addition to a link. */
export function AccessKey({ file, change }: AccessKeyProps) {
  return (
    <div>
      <Setting
        name={common.accessKey}
        state={file.hasAccessKey ? undefined : texts.noAccessKey}
        remove={file.hasAccessKey ? () => void change.set({ accessKey: null }) : undefined}
      >
        <Button
          size="xs"
          variant="default"
          loading={change.busy}
          onClick={() => void change.set({ accessKey: true })}
        >
          {file.hasAccessKey ? texts.replaceKey : texts.createKey}
        </Button>
      </Setting>
      {file.accessKeyPlain && <KeyValue value={file.accessKeyPlain} />}
    </div>
  );
}

function KeyValue({ value }: { value: string }) {
  const [shown, setShown] = useState(false);
  return (
    <Group gap={4} wrap="nowrap" mt={6} className="boxed" pl="sm">
      <Text className="address" size="sm" flex={1} data-testid="access-key">
        {shown ? value : '•'.repeat(16)}
      </Text>
      <Button size="compact-xs" variant="subtle" onClick={() => setShown(!shown)}>
        {shown ? texts.hide : texts.show}
      </Button>
      <CopyButton text={value} label={texts.copyAccessKey} />
    </Group>
  );
}
