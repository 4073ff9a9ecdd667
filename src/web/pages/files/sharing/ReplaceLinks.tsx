import { Button } from '@mantine/core';
import { Link2Off } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { notify } from '../../../components/notify.tsx';
import { sharingTexts as texts } from '../../../texts/sharing.ts';
import type { FileChange } from './useFileChange.ts';

/** Replaces all links of a file, so that the current ones stop working. */
export function ReplaceLinks({ change }: { change: FileChange }) {
  const [asking, setAsking] = useState(false);
  return (
    <section>
      <Button
        variant="light"
        color="red"
        fullWidth
        leftSection={<Link2Off size={17} />}
        onClick={() => setAsking(true)}
      >
        {texts.replaceLinks}
      </Button>
      {asking && (
        <ConfirmDialog
          title={texts.replaceLinksQuestion}
          text={texts.replaceLinksText}
          confirmLabel={texts.replaceLinks}
          confirm={async () => {
            if (await change.set({ regenerateTokens: true })) notify(texts.linksReplaced);
          }}
          close={() => setAsking(false)}
        />
      )}
    </section>
  );
}
