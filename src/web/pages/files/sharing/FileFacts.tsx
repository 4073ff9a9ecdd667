import type { FileMetadata } from '../../../api/storage.ts';
import { Facts } from '../../../components/Facts.tsx';
import { Time } from '../../../components/Time.tsx';
import { formatBytes, formatDuration, formatLocal, formatNumber, formatType } from '../../../formats.ts';
import { texts as common } from '../../../texts.ts';
import { texts } from './texts.ts';

export function FileFacts({ file }: { file: FileMetadata }) {
  return (
    <section className="details-section">
      <h2>{common.details}</h2>
      <Facts
        facts={[
          [common.type, `${formatType(file.mimeType)} (${file.mimeType})`],
          [common.size, texts.bytes(formatBytes(file.sizeBytes), formatNumber(file.sizeBytes))],
          [texts.dimensions, file.width && file.height ? texts.pixels(file.width, file.height) : null],
          [texts.duration, file.durationSeconds ? formatDuration(file.durationSeconds) : null],
          [common.taken, file.takenAt ? formatLocal(file.takenAt) : null],
          [texts.camera, file.camera ?? null],
          [common.added, <Time key="created" value={file.dateCreated} />],
          [common.addedBy, file.createdBy ?? null],
          [texts.changed, <Time key="changed" value={file.dateModified} />],
          [texts.changedBy, file.modifiedBy ?? null],
          [
            'SHA-256',
            <span key="sha256" className="address">
              {file.sha256}
            </span>,
          ],
        ]}
      />
    </section>
  );
}
