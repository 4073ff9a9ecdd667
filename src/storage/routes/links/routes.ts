import type { Clock } from '../../../kernel/clock.ts';
import type { App } from '../../../kernel/http/context.ts';
import type { BlobReader } from '../../blobs/small.ts';
import type { Receiver } from '../../intake/receiver.ts';
import type { Uploads } from '../../intake/resumable/uploads.ts';
import type { LinkParts } from '../../links/create.ts';
import type { StoredFile } from '../../tree/file.ts';
import { mountFolderPage } from '../folder-page/folder-page.ts';
import type { AnswerTus } from '../resumable/protocol.ts';
import { createAdmission } from './admission.ts';
import { mountLinkBytes } from './bytes.ts';
import { mountLinkExport } from './export.ts';
import { mountPublicLink } from './public.ts';
import { mountSentUploads } from './resumable.ts';
import { mountLinkUploads } from './uploads.ts';
import { createVisits } from './visits.ts';

interface LinkVisitsDeps {
  links: LinkParts;
  clock: Clock;
  /** Number of processes of this server. */
  processes: number;
  publicUrl: string;
  blobs: BlobReader;
  receiver: Receiver;
  uploads: Uploads;
  tus: AnswerTus;
  /** Called after a file is committed. */
  stored(file: StoredFile): void;
}

/** Links to folders and to chosen files, for visitors: what a link opens, and what they send. */
export function mountLinkVisits(app: App, deps: LinkVisitsDeps): void {
  const { clock, processes, publicUrl, blobs, receiver, uploads, tus, stored } = deps;
  const { linkGate, linkUploads, uploadKeys, content, downloads } = deps.links;
  const visits = createVisits({ linkGate, downloads });
  mountPublicLink(app, { linkGate, content });
  mountLinkBytes(app, { content, blobs, visits });
  mountLinkExport(app, { linkGate, content, visits, clock, processes });
  // Before the page, of which the last segment is any text.
  const admit = createAdmission({ clock, processes, linkGate, linkUploads });
  mountLinkUploads(app, { admit, linkUploads, receiver, stored });
  mountSentUploads(app, { admit, linkGate, linkUploads, uploadKeys, uploads, tus, publicUrl });
  mountFolderPage(app, { linkGate, content, publicUrl });
}
