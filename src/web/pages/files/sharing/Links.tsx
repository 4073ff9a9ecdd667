import { ActionIcon, Button, Group, Text, TextInput } from '@mantine/core';
import { ExternalLink, Link2, QrCode as QrIcon } from 'lucide-react';
import { useState } from 'react';
import { usePublicUrl } from '../../../api/session.ts';
import { directLink, type FileMetadata, keyedLink, pageLink } from '../../../api/storage.ts';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { copyText } from '../../../components/copy-text.ts';
import { IconButton } from '../../../components/IconButton.tsx';
import { notify } from '../../../components/notify.tsx';
import { QrCode } from '../../../components/QrCode.tsx';
import { LocationHint } from './LocationHint.tsx';
import { texts } from './texts.ts';
import type { FileChange } from './useFileChange.ts';

/** Reports whether the links of a file open it. */
export const isShared = (file: FileMetadata) => file.visibility === 1 || file.hasAccessKey;

/** The links of a file, or the button that creates them. */
export function Links({ file, change }: { file: FileMetadata; change: FileChange }) {
  const origin = usePublicUrl();
  async function create() {
    if (!(await change.set({ visibility: 1 }))) return;
    notify((await copyText(pageLink(origin, file))) ? texts.linkCopied : texts.linkCreated);
  }

  return (
    <section className="details-section">
      <h2>{texts.links}</h2>
      {!isShared(file) && (
        <Button leftSection={<Link2 size={17} />} loading={change.busy} onClick={() => void create()}>
          {texts.createLink}
        </Button>
      )}
      <LocationHint file={file} />
      {isShared(file) && (
        <>
          <LinkRow label={texts.pageLink} hint={texts.pageLinkText} address={pageLink(origin, file)} isPage />
          <LinkRow label={texts.directLink} hint={texts.directLinkText} address={directLink(origin, file)} />
        </>
      )}
      {file.accessKeyPlain && (
        <LinkRow label={texts.keyLink} hint={texts.keyLinkText} address={keyedLink(origin, file)} />
      )}
    </section>
  );
}

interface LinkRowProps {
  label: string;
  hint: string;
  address: string;
  /** Whether the link is for people: it has a QR code, and a button that opens it. */
  isPage?: boolean;
}

function LinkRow({ label, hint, address, isPage = false }: LinkRowProps) {
  const [qrShown, setQrShown] = useState(false);
  return (
    <div>
      <Group gap={4} align="flex-end" wrap="nowrap">
        <TextInput
          flex={1}
          label={label}
          description={hint}
          value={address}
          readOnly
          onFocus={(event) => event.currentTarget.select()}
          classNames={{ input: 'address' }}
        />
        <CopyButton text={address} label={texts.copy(label)} />
        {isPage && (
          <IconButton
            label={qrShown ? texts.hideQrCode : texts.qrCodeOf(label)}
            icon={<QrIcon size={17} />}
            aria-expanded={qrShown}
            onClick={() => setQrShown(!qrShown)}
          />
        )}
        {isPage && (
          <ActionIcon
            component="a"
            href={address}
            target="_blank"
            rel="noreferrer"
            aria-label={texts.openPage}
            title={texts.openPage}
          >
            <ExternalLink size={17} />
          </ActionIcon>
        )}
      </Group>
      {qrShown && (
        <Text component="div" ta="center" mt="sm">
          <QrCode text={address} label={texts.qrCodeOf(label)} />
        </Text>
      )}
    </div>
  );
}
