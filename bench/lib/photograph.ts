import sharp from 'sharp';

const [WIDTH, HEIGHT] = [4_000, 3_000];
export const MEGAPIXELS = (WIDTH * HEIGHT) / 1e6;

/**
 * Creates a JPEG of about three megabytes that costs as much as a photograph: soft shapes with the noise of a sensor.
 */
export async function photograph(): Promise<Buffer> {
  const noise = (side: number, sigma: number) =>
    sharp({
      create: {
        width: side,
        height: (side * HEIGHT) / WIDTH,
        channels: 3,
        background: '#000',
        noise: { type: 'gaussian', mean: 128, sigma },
      },
    })
      .resize(WIDTH, HEIGHT)
      .png({ compressionLevel: 0 })
      .toBuffer();
  const grain = await noise(WIDTH / 2, 12);
  return await sharp(await noise(80, 60))
    .composite([{ input: grain, blend: 'soft-light' }])
    .jpeg({ quality: 90 })
    .toBuffer();
}
