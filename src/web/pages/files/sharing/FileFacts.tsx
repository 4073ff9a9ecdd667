import type { FileMetadata } from '../../../api/storage.ts';
import { formatBytes, formatType } from '../../../formats.ts';
import { Time } from '../../../parts/Time.tsx';
import { sharingTexts as texts } from '../../../texts/sharing.ts';

export function FileFacts({ file }: { file: FileMetadata }) {
  return (
    <section className="details-section">
      <h2>{texts.details}</h2>
      <dl className="facts">
        <dt>{texts.type}</dt>
        <dd>
          {formatType(file.mimeType)} <span className="faint">({file.mimeType})</span>
        </dd>
        <dt>{texts.size}</dt>
        <dd title={`${file.sizeBytes.toLocaleString()} bytes`}>{formatBytes(file.sizeBytes)}</dd>
        <dt>{texts.created}</dt>
        <dd>
          <Time value={file.dateCreated} />
        </dd>
        <dt>{texts.changed}</dt>
        <dd>
          <Time value={file.dateModified} />
        </dd>
        <dt>{texts.sha256}</dt>
        <dd className="address">{file.sha256}</dd>
      </dl>
    </section>
  );
}
