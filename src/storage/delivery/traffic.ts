import type { Metrics } from '../../kernel/metrics/metrics.ts';
import type { BlobReader } from '../blobs/small.ts';

/** Counts the bytes of files that were received and sent. */
export interface Traffic {
  uploaded(bytes: number): void;
  /** Counts the bytes that are read through the returned reader. */
  countReads<Reader extends Pick<BlobReader, 'read'>>(blobs: Reader): Reader;
  /** Counts the redirects to blobs. */
  countLinks(blobs: BlobReader): BlobReader;
}

export function createTraffic(metrics: Metrics): Traffic {
  const up = metrics.counter('posthouse_storage_uploaded_bytes_total', 'Bytes of files received');
  const down = metrics.counter(
    'posthouse_storage_downloaded_bytes_total',
    'Bytes of files and thumbnails in responses; an interrupted one counts in full',
  );
  const redirects = metrics.counter('posthouse_storage_redirects_total', 'Downloads redirected to S3');
  return {
    uploaded: (bytes) => up.inc(bytes),
    countLinks({ link, ...blobs }) {
      if (!link) return blobs;
      const counted: typeof link = (...rest) => {
        redirects.inc();
        return link(...rest);
      };
      return { ...blobs, link: counted };
    },
    countReads: (blobs) => ({
      ...blobs,
      read(key, size, range, crc32) {
        down.inc(range ? range.end - range.start : size);
        return blobs.read(key, size, range, crc32);
      },
    }),
  };
}
