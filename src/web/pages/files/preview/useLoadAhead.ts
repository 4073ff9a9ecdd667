import { useEffect, useRef } from 'react';
import type { FileItem } from '../../../api/storage.ts';
import { contentOf } from './content.ts';
import { kindOf } from './kinds.ts';
import { pictureAddresses } from './pictures.ts';

/** The distances of the pictures that are loaded ahead, in this order. */
const AHEAD = [1, -1, 2];

/**
 * Loads and decodes the pictures before and after the shown one, so that the browser displays them in the next frame:
 * it reuses images with the same address while they are referenced (HTML, “list of available images”).
 */
export function useLoadAhead(files: readonly FileItem[], index: number): void {
  const held = useRef(new Map<string, HTMLImageElement>());
  const addresses = index < 0 ? '' : addressesBeside(files, index).join('\n');
  useEffect(() => {
    const before = held.current;
    held.current = new Map(
      addresses
        .split('\n')
        .filter(Boolean)
        .map((address) => [address, before.get(address) ?? load(address)]),
    );
  }, [addresses]);
}

function addressesBeside(files: readonly FileItem[], index: number): string[] {
  return [0, ...AHEAD].flatMap((step) => {
    const file = files[index + step];
    return file && kindOf(file.mimeType) === 'picture' ? pictureAddresses(contentOf(file)).slice(0, 1) : [];
  });
}

function load(address: string): HTMLImageElement {
  const image = new Image();
  image.fetchPriority = 'low';
  image.src = address;
  // The view reports a picture that cannot be decoded.
  image.decode().catch(() => {});
  return image;
}
