import { Link2Off } from 'lucide-react';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { DialogButton } from '../../../components/DialogButton.tsx';
import { notify } from '../../../components/notify.tsx';
import type { FileChange } from './useFileChange.ts';

/** Replaces all links of a file, so that the current ones stop working. */
export const ReplaceLinks = ({ change }: { change: FileChange }) => (
  <DialogButton
    label="Replace all links"
    icon={<Link2Off size={17} />}
    variant="light"
    color="red"
    dialog={(close) => (
      <ConfirmDialog
        title="Replace all links of this file?"
        text="Creates new links. The current links stop working at once."
        confirmLabel="Replace all links"
        confirm={async () => {
          if (await change.set({ regenerateTokens: true })) notify('Links replaced');
        }}
        close={close}
      />
    )}
  />
);
