import sharp, { type Sharp } from 'sharp';

/**
 * Decodes HEIC, whose codec sharp does not have, with libheif as WebAssembly (LGPL). Applies the rotation and mirroring
 * of its container; the colors are treated as sRGB.
 */
export type DecodeHeic = (picture: Uint8Array) => Promise<Sharp>;

/** Loads the decoder. Call it while files can still be opened. */
export async function loadHeicDecoder(): Promise<DecodeHeic> {
  const { default: open } = await import('libheif-js/libheif-wasm/libheif-bundle.mjs');
  const { HeifDecoder } = await open();
  return async (picture) => {
    const images = new HeifDecoder().decode(picture);
    const image = images.find((each) => each.is_primary()) ?? images[0];
    if (!image) throw new Error('not a HEIC picture');
    const [width, height] = [image.get_width(), image.get_height()];
    const target = { data: new Uint8ClampedArray(width * height * 4), width, height };
    const decoded = await new Promise((resolve) => image.display(target, resolve));
    if (!decoded) throw new Error('the HEIC picture cannot be decoded');
    return sharp(target.data, { raw: { width, height, channels: 4 } });
  };
}
