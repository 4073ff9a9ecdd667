import type { FileMetadata } from '../../../api/storage.ts';
import { Facts } from '../../../components/Facts.tsx';
import { Time } from '../../../components/Time.tsx';
import { formatBytes, formatType } from '../../../formats.ts';
import { sharingTexts as texts } from '../../../texts/sharing.ts';

export function FileFacts({ file }: { file: FileMetadata }) {
  return (
    <section className="details-section">
      <h2>{texts.details}</h2>
      <Facts
        facts={[
          [texts.type, `${formatType(file.mimeType)} (${file.mimeType})`],
          [texts.size, `${formatBytes(file.sizeBytes)} (${file.sizeBytes.toLocaleString()} bytes)`],
          [texts.created, <Time key="created" value={file.dateCreated} />],
          [texts.changed, <Time key="changed" value={file.dateModified} />],
          [
            texts.sha256,
            <span key="sha256" className="address">
              {file.sha256}
            </span>,
          ],
        ]}
      />
    </section>
  );
}
