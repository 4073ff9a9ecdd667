import type { FileMetadata } from '../../../api/storage.ts';
import { Facts } from '../../../components/Facts.tsx';
import { Time } from '../../../components/Time.tsx';
import { formatBytes, formatLocal, formatType } from '../../../formats.ts';

export function FileFacts({ file }: { file: FileMetadata }) {
  return (
    <section className="details-section">
      <h2>Details</h2>
      <Facts
        facts={[
          ['Type', `${formatType(file.mimeType)} (${file.mimeType})`],
          ['Size', `${formatBytes(file.sizeBytes)} (${file.sizeBytes.toLocaleString()} bytes)`],
          ['Dimensions', file.width && file.height ? `${file.width} × ${file.height} pixels` : null],
          ['Taken', file.takenAt ? formatLocal(file.takenAt) : null],
          ['Camera', file.camera ?? null],
          ['Added', <Time key="created" value={file.dateCreated} />],
          ['Added by', file.createdBy ?? null],
          ['Changed', <Time key="changed" value={file.dateModified} />],
          ['Changed by', file.modifiedBy ?? null],
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
