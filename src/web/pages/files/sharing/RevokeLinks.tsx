import { Button } from '@mantine/core';
import { Link2Off } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../../parts/ConfirmDialog.tsx';
import { tell } from '../../../parts/tell.tsx';
import { sharingTexts as texts } from '../../../texts/sharing.ts';
import type { FileChange } from './useFileChange.ts';

/** Makes all links given away worthless. */
export function RevokeLinks({ change }: { change: FileChange }) {
  const [asking, setAsking] = useState(false);
  return (
    <section>
      <Button variant="light" color="red" fullWidth leftSection={<Link2Off size={17} />} onClick={() => setAsking(true)}>
        {texts.revoke}
      </Button>
      {asking && (
        <ConfirmDialog
          title={texts.revokeQuestion}
          text={texts.revokeAbout}
          button={texts.revoke}
          confirm={async () => {
            await change.set({ regenerateTokens: true });
            tell(texts.revoked);
          }}
          close={() => setAsking(false)}
        />
      )}
    </section>
  );
}
