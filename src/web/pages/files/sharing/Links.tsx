import { ActionIcon, Alert, Group, Text, TextInput } from '@mantine/core';
import { ExternalLink, Info, QrCode as QrIcon } from 'lucide-react';
import { useState } from 'react';
import { directLink, type FileMetadata, keyedLink, pageLink } from '../../../api/storage.ts';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { IconButton } from '../../../components/IconButton.tsx';
import { QrCode } from '../../../components/QrCode.tsx';

/** The links of a file. */
export function Links({ file }: { file: FileMetadata }) {
  const { origin } = location;
  const isInactive = file.visibility === 0 && !file.hasAccessKey;
  return (
    <section className="details-section">
      <h2>Links</h2>
      {isInactive && (
        <Alert variant="light" color="gray" icon={<Info size={18} />} p="xs">
          Links are inactive. Make the file public, or add an access key.
        </Alert>
      )}
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
