import S3rver from '@20minutes/s3rver';

/** Run as a separate process, to keep it off the tests' event loop: `s3-server.ts PORT DIRECTORY`. */
const [port, directory] = process.argv.slice(2);
// Unlike S3 and Bun, it signs the path of a listing without its last slash, so signature mismatches are allowed.
const server = new S3rver({
  port: Number(port),
  address: '127.0.0.1',
  directory,
  silent: true,
  allowMismatchedSignatures: true,
});
await server.run();
process.stdout.write('ready\n');
