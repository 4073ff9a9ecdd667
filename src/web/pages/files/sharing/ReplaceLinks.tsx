import { Button } from '@mantine/core';
import { Link2Off } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { notify } from '../../../components/notify.tsx';
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
        Replace all links
      </Button>
      {asking && (
        <ConfirmDialog
          title="Replace all links of this file?"
          text="Creates new links. The current links stop working at once."
          confirmLabel="Replace all links"
          confirm={async () => {
            if (await change.set({ regenerateTokens: true })) notify('Links replaced');
          }}
          close={() => setAsking(false)}
        />
      )}
    </section>
  );
}
