import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { FileMetadata } from '../../../api/storage.ts';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { common } from '../../../texts/common.ts';
import { sharingTexts as texts } from '../../../texts/sharing.ts';
import { Setting } from './Setting.tsx';
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
        name={texts.key}
        state={file.hasAccessKey ? undefined : texts.keyNone}
        remove={file.hasAccessKey ? () => void change.set({ accessKey: null }) : undefined}
      >
        <Button
          size="xs"
          variant="default"
          loading={change.busy}
          onClick={() => void change.set({ accessKey: true })}
        >
          {file.hasAccessKey ? texts.keyRotate : texts.keyAdd}
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
        {shown ? texts.keyHide : texts.keyShow}
      </Button>
      <CopyButton text={value} label={common.copy(texts.key)} />
    </Group>
  );
}
