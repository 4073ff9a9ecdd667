import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link2 } from 'lucide-react';
import { useState } from 'react';
import { keys } from '../../../api/keys.ts';
import { createLink, type FolderLink, findLinkTo, stateOf, useRefreshLinks } from '../../../api/links.ts';
import { BusyButton } from '../../../components/BusyButton.tsx';
import { copyText } from '../../../components/copy-text.ts';
import { Dialog } from '../../../components/Dialog.tsx';
import { attempt, notify } from '../../../components/notify.tsx';
import { QueryContent } from '../../../components/QueryContent.tsx';
import { countOf } from '../../../formats.ts';
import type { Entry } from '../entries.ts';
import { useFilesPage } from '../FilesContext.ts';
import { LinkOptions } from './LinkOptions.tsx';
import { LocationsHint } from './LocationHint.tsx';
import { texts } from './texts.ts';

interface ShareDialogProps {
  /** A folder, or files. */
  entries: readonly Entry[];
  close(): void;
}

/** Creates a link to a folder or to chosen files, or shows the link that a folder has. */
export function ShareDialog({ entries, close }: ShareDialogProps) {
  const { workspace } = useFilesPage();
  const [first] = entries;
  const folderId = first?.kind === 'folder' ? first.id : null;
  const [created, setCreated] = useState<FolderLink | null>(null);
  const present = useQuery({
    queryKey: [...keys.links, 'to', folderId],
    queryFn: () => (folderId === null ? null : findLinkTo(folderId, workspace?.id)),
    staleTime: 0,
  });
  const name = folderId === null ? countOf(entries.length, 'file') : texts.quoted(first?.name);
  return (
    <Dialog close={close} title={texts.shareTitle(name)}>
      <QueryContent query={present}>
        {(found) => {
          const link = found ?? created;
          if (link) return <LinkOptions key={stateOf(link)} {...{ link, close }} changed={setCreated} />;
          return <NewLinkForm entries={entries} folderId={folderId} created={setCreated} />;
        }}
      </QueryContent>
    </Dialog>
  );
}

interface NewLinkFormProps {
  entries: readonly Entry[];
  folderId: string | null;
  created(link: FolderLink): void;
}

function NewLinkForm({ entries, folderId, created }: NewLinkFormProps) {
  const refresh = useRefreshLinks();

  const create = () =>
    attempt(async () => {
      const target = folderId === null ? { fileIds: entries.map(({ id }) => id) } : { folderId };
      const link = await createLink(target);
      notify((await copyText(link.url)) ? texts.linkCopied : texts.linkCreated);
      created(link);
      refresh();
    });

  return (
    <Stack gap="md">
      <Text size="sm">{texts.anyoneOpens}</Text>
      <LocationsHint />
      <BusyButton leftSection={<Link2 size={17} />} run={create} data-autofocus>
        {texts.createLink}
      </BusyButton>
    </Stack>
  );
}
