import { ActionIcon, Alert, Group, Text, TextInput } from '@mantine/core';
import { ExternalLink, Info, QrCode as QrSign } from 'lucide-react';
import { useState } from 'react';
import { directLink, type FileMetadata, keyedLink, pageLink } from '../../../api/storage.ts';
import { CopyButton } from '../../../parts/CopyButton.tsx';
import { QrCode } from '../../../parts/QrCode.tsx';
import { sharingTexts as texts } from '../../../texts/sharing.ts';

/** The addresses under which others reach the file. */
export function Links({ file }: { file: FileMetadata }) {
  const { origin } = location;
  const isClosed = file.visibility === 0 && !file.hasAccessKey;
  return (
    <section className="details-section">
      <h2>{texts.links}</h2>
      {isClosed && (
        <Alert variant="light" color="gray" icon={<Info size={18} />} p="xs">
          {texts.linksClosed}
        </Alert>
      )}
      <LinkRow label={texts.page} about={texts.pageAbout} address={pageLink(origin, file)} openable={!isClosed} withCode />
      <LinkRow label={texts.direct} about={texts.directAbout} address={directLink(origin, file)} />
      {file.accessKeyPlain && <LinkRow label={texts.keyed} about={texts.keyedAbout} address={keyedLink(origin, file)} />}
    </section>
  );
}

interface LinkRowProps {
  label: string;
  about: string;
  address: string;
  openable?: boolean;
  withCode?: boolean;
}

function LinkRow({ label, about, address, openable = false, withCode = false }: LinkRowProps) {
  const [coded, setCoded] = useState(false);
  return (
    <div>
      <Group gap={4} align="flex-end" wrap="nowrap">
        <TextInput
          flex={1}
          label={label}
          description={about}
          value={address}
          readOnly
          onFocus={(event) => event.currentTarget.select()}
          classNames={{ input: 'address' }}
        />
        <CopyButton text={address} label={texts.copy(label)} />
        {withCode && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            onClick={() => setCoded(!coded)}
            aria-expanded={coded}
            aria-label={coded ? texts.qrClose : texts.qr(label)}
            title={coded ? texts.qrClose : texts.qr(label)}
          >
            <QrSign size={17} />
          </ActionIcon>
        )}
        {openable && (
          <ActionIcon
            component="a"
            href={address}
            target="_blank"
            rel="noreferrer"
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={texts.openPage}
            title={texts.openPage}
          >
            <ExternalLink size={17} />
          </ActionIcon>
        )}
      </Group>
      {coded && (
        <Text component="div" ta="center" mt="sm">
          <QrCode text={address} label={texts.qr(label)} />
        </Text>
      )}
    </div>
  );
}
