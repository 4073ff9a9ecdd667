import { Link2Off } from 'lucide-react';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { DialogButton } from '../../../components/DialogButton.tsx';
import { notify } from '../../../components/notify.tsx';
import { texts } from './texts.ts';
import type { FileChange } from './useFileChange.ts';

/** Replaces all links of a file, so that the current ones stop working. */
export const ReplaceLinks = ({ change }: { change: FileChange }) => (
  <DialogButton
    label={texts.replaceLinks}
    icon={<Link2Off size={17} />}
    variant="light"
    color="red"
    dialog={(close) => (
      <ConfirmDialog
        title={texts.replaceLinksTitle}
        text={texts.replaceLinksText}
        confirmLabel={texts.replaceLinks}
        confirm={async () => {
          if (!(await change.set({ regenerateTokens: true }))) throw new Error('The error was reported.');
          notify(texts.linksReplaced);
        }}
        close={close}
      />
    )}
  />
);
