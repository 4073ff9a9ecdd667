/** The members that are used; the package declares no types for this file. */
declare module 'libheif-js/libheif-wasm/libheif-bundle.mjs' {
  interface Pixels {
    /** RGBA. */
    data: Uint8ClampedArray;
    width: number;
    height: number;
  }
  interface HeifImage {
    is_primary(): boolean;
    get_width(): number;
    get_height(): number;
    display(target: Pixels, done: (decoded: Pixels | null) => void): void;
  }
  interface LibHeif {
    HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] };
  }
  const open: () => Promise<LibHeif>;
  // biome-ignore lint/style/noDefaultExport: the package has one
  export default open;
}
