declare module '@20minutes/s3rver' {
  interface Options {
    port: number;
    address: string;
    directory: string | undefined;
    silent: boolean;
    allowMismatchedSignatures: boolean;
  }
  // biome-ignore lint/style/noDefaultExport: the package's own shape
  export default class S3rver {
    constructor(options: Options);
    run(): Promise<unknown>;
    close(): Promise<void>;
  }
}
