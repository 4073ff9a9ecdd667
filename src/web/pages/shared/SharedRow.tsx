import { Badge } from '@mantine/core';
import { Files, Folder, Settings2 } from 'lucide-react';
import { Link } from 'wouter';
import { type FolderLink, revoke, stateOf, useRefreshLinks } from '../../api/links.ts';
import type { FileLink as SharedFile, SharedLink } from '../../api/storage.ts';
import { Actions, confirmedAction } from '../../components/actions.tsx';
import { CopyButton } from '../../components/CopyButton.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { lazyComponent } from '../../components/lazy-component.tsx';
import { Name } from '../../components/Name.tsx';
import { notify, runReported } from '../../components/notify.tsx';
import { Row } from '../../components/Rows.tsx';
import { EndTime } from '../../components/Time.tsx';
import { useNow } from '../../components/useNow.ts';
import { countOf, DAY } from '../../formats.ts';
import { texts as common } from '../../texts.ts';
import { EntryPicture } from '../files/EntryPicture.tsx';
import { fileEntry } from '../files/entries.ts';
import { FileLink } from '../files/FileLink.tsx';
import { texts } from './texts.ts';

const LinkOptions = lazyComponent(async () => (await import('../files/sharing/LinkOptions.tsx')).LinkOptions);

/** Time before its expiry during which a link is marked. */
const SOON_MS = 3 * DAY;
const ACCESS: Record<FolderLink['access'], string> = {
  view: texts.view,
  upload: common.sendFiles,
  both: texts.viewAndSend,
};

interface OptionsDialogProps {
  link: FolderLink;
  changed(): void;
  close(): void;
}

const OptionsDialog = ({ link, changed, close }: OptionsDialogProps) => (
  <Dialog close={close} title={texts.linkTo(nameOf(link))}>
    <LinkOptions key={stateOf(link)} {...{ link, changed, close }} />
  </Dialog>
);

/** A shared file or link, with its address and expiry. */
export function SharedRow({ link }: { link: SharedLink }) {
  const refresh = useRefreshLinks();
  const name = nameOf(link);
  return (
    <Row
      icon={<SharedIcon link={link} />}
      title={link.kind === 'file' ? <FileLink file={link} panel="details" /> : <FolderTitle link={link} />}
      badges={
        <>
          <Badge color="gray">{link.kind === 'file' ? accessOf(link) : ACCESS[link.access]}</Badge>
          {link.hasPassword && <Badge color="gray">{common.password}</Badge>}
          <EndBadge link={link} />
        </>
      }
      description={<Facts link={link} />}
      actions={
        <>
          <CopyButton text={link.url} label={texts.copyLink(name)} />
          <Actions
            name={name}
            menu={[
              link.kind !== 'file' && {
                label: texts.options,
                icon: <Settings2 size={16} />,
                dialog: (close) => <OptionsDialog link={link} changed={refresh} close={close} />,
              },
              confirmedAction({
                label: common.revoke,
                title: texts.revokeTitle(name),
                text: link.kind === 'file' ? texts.becomesPrivate : texts.revokeText,
                confirm: () =>
                  runReported(async () => {
                    await revoke(link);
                    notify(texts.revoked);
                    refresh();
                  }),
              }),
            ]}
          />
        </>
      }
    />
  );
}

const accessOf = ({ visibility }: SharedFile) => (visibility === 1 ? common.public : common.accessKey);

function nameOf(link: SharedLink): string {
  if (link.kind === 'file') return link.originalName;
  return (
    link.title ??
    link.name ??
    (link.kind === 'folder' ? texts.deletedFolder : countOf(link.fileCount, 'file'))
  );
}

function SharedIcon({ link }: { link: SharedLink }) {
  if (link.kind === 'file') return <EntryPicture entry={fileEntry(link)} />;
  return link.kind === 'folder' ? <Folder size={20} aria-hidden /> : <Files size={20} aria-hidden />;
}

function FolderTitle({ link }: { link: FolderLink }) {
  if (link.folderId === null || link.name === null) return nameOf(link);
  return (
    <Link href={`/files/${link.folderId}`} className="row-link">
      <Name name={nameOf(link)} />
    </Link>
  );
}

function Facts({ link }: { link: SharedLink }) {
  const { downloadCount, maxDownloads, expiresAt, createdBy } = link;
  const count = countOf(downloadCount, 'download');
  return (
    <>
      {maxDownloads === null ? count : texts.downloadsOf(downloadCount, maxDownloads)}
      {link.kind !== 'file' && link.access !== 'view' && texts.received(countOf(link.uploadCount, 'file'))}
      {' · '}
      {expiresAt === null ? (
        texts.neverExpires
      ) : (
        <EndTime value={expiresAt} before={common.expires} after={common.expired} />
      )}
      {createdBy && texts.byName(createdBy)}
    </>
  );
}

/** Marks a link that no longer works or expires soon. */
function EndBadge({ link: { expiresAt, downloadCount, maxDownloads } }: { link: SharedLink }) {
  const now = useNow();
  const leftMs = expiresAt === null ? Number.POSITIVE_INFINITY : new Date(expiresAt).getTime() - now;
  if (leftMs <= 0) return <Badge color="red">{common.expired}</Badge>;
  if (maxDownloads !== null && downloadCount >= maxDownloads)
    return <Badge color="red">{texts.limitReached}</Badge>;
  return leftMs < SOON_MS && <Badge color="yellow">{texts.expiresSoon}</Badge>;
}
