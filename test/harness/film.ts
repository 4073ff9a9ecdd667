import {
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  MkvOutputFormat,
  MovOutputFormat,
  Mp4OutputFormat,
  Output,
  type Rotation,
  WebMOutputFormat,
} from 'mediabunny';

interface FilmOptions {
  format: 'mp4' | 'mov' | 'webm' | 'mkv';
  seconds: number;
  rotation?: Rotation;
  /** Metadata of the container. */
  tags?: Record<string, string>;
  /** Size of each second. */
  packetBytes?: number;
}

const FORMATS = {
  mp4: () => new Mp4OutputFormat({ fastStart: false }),
  mov: () => new MovOutputFormat({ fastStart: false, metadataFormat: 'mdta' }),
  webm: () => new WebMOutputFormat(),
  mkv: () => new MkvOutputFormat(),
};

/** Creates a video of 64 × 48 pixels with a valid container, whose pictures cannot be decoded. */
export async function film({
  format,
  seconds,
  rotation = 0,
  tags,
  packetBytes = 100,
}: FilmOptions): Promise<Uint8Array<ArrayBuffer>> {
  const target = new BufferTarget();
  const output = new Output({ format: FORMATS[format](), target });
  const source = new EncodedVideoPacketSource('vp8');
  output.addVideoTrack(source, { rotation });
  if (tags) output.setMetadataTags({ raw: tags });
  await output.start();
  const picture = new Uint8Array(packetBytes);
  const decoderConfig = { codec: 'vp8', codedWidth: 64, codedHeight: 48 };
  for (let second = 0; second < seconds; second++)
    await source.add(new EncodedPacket(picture, 'key', second, 1), { decoderConfig });
  await output.finalize();
  return new Uint8Array(target.buffer ?? new ArrayBuffer(0));
}
