import { ActionIcon, Button, Group, Text, TextInput } from '@mantine/core';
import { ExternalLink, Link2, QrCode as QrIcon } from 'lucide-react';
import { useState } from 'react';
import { directLink, type FileMetadata, keyedLink, pageLink } from '../../../api/storage.ts';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { copyText } from '../../../components/copy-text.ts';
import { IconButton } from '../../../components/IconButton.tsx';
import { notify } from '../../../components/notify.tsx';
import { QrCode } from '../../../components/QrCode.tsx';
import { PlaceHint } from './PlaceHint.tsx';
import type { FileChange } from './useFileChange.ts';

/** The links of a file. */
export function Links({ file, change }: { file: FileMetadata; change: FileChange }) {
  const { origin } = location;
  const isInactive = file.visibility === 0 && !file.hasAccessKey;
  async function create() {
    if (!(await change.set({ visibility: 1 }))) return;
    notify((await copyText(pageLink(origin, file))) ? 'Link created and copied' : 'Link created');
  }

  return (
    <section className="details-section">
      <h2>Links</h2>
      {isInactive && (
        <Button leftSection={<Link2 size={17} />} loading={change.busy} onClick={() => void create()}>
          Create link
        </Button>
      )}
      <PlaceHint file={file} />
      <LinkRow
        label="Page link"
        hint="Page with preview and download button"
        address={pageLink(origin, file)}
        openable={!isInactive}
        withCode
      />
      <LinkRow
        label="Direct link"
        hint="The file itself, for scripts and websites"
        address={directLink(origin, file)}
      />
      {file.accessKeyPlain && (
        <LinkRow
          label="Link with access key"
          hint="For scripts. This address contains the access key."
          address={keyedLink(origin, file)}
        />
      )}
    </section>
  );
}

interface LinkRowProps {
  label: string;
  hint: string;
  address: string;
  openable?: boolean;
  withCode?: boolean;
}

function LinkRow({ label, hint, address, openable = false, withCode = false }: LinkRowProps) {
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
        <CopyButton text={address} label={`Copy ${label}`} />
        {withCode && (
          <IconButton
            label={qrShown ? 'Hide QR code' : `QR code of ${label}`}
            icon={<QrIcon size={17} />}
            aria-expanded={qrShown}
            onClick={() => setQrShown(!qrShown)}
          />
        )}
        {openable && (
          <ActionIcon
            component="a"
            href={address}
            target="_blank"
            rel="noreferrer"
            aria-label="Open page"
            title="Open page"
          >
            <ExternalLink size={17} />
          </ActionIcon>
        )}
      </Group>
      {qrShown && (
        <Text component="div" ta="center" mt="sm">
          <QrCode text={address} label={`QR code of ${label}`} />
        </Text>
      )}
    </div>
  );
}
