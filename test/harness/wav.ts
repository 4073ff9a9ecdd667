/** Returns a tone as WAV. */
export function wav(seconds: number): Uint8Array<ArrayBuffer> {
  const rate = 8_000;
  const bytes = new Uint8Array(44 + rate * seconds);
  const view = new DataView(bytes.buffer);
  const write = (place: number, word: string) => bytes.set(new TextEncoder().encode(word), place);
  write(0, 'RIFF');
  view.setUint32(4, bytes.length - 8, true);
  write(8, 'WAVEfmt ');
  for (const [place, value] of [
    [16, 16],
    [24, rate],
    [28, rate],
    [40, bytes.length - 44],
  ] as const)
    view.setUint32(place, value, true);
  for (const [place, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    view.setUint16(place, value, true);
  write(36, 'data');
  for (let place = 44; place < bytes.length; place++)
    bytes[place] = 128 + 60 * Math.sin((place * 440 * 2 * Math.PI) / rate);
  return bytes;
}
