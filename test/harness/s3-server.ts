import S3rver from '@20minutes/s3rver';

/** A process of its own, since it serves from Node's HTTP server and would share the tests' event loop: `s3-server.ts PORT DIRECTORY`. */
const [port, directory] = process.argv.slice(2);
// It signs the path of a listing without its last slash, unlike S3 and Bun, so signatures may differ here.
const server = new S3rver({ port: Number(port), address: '127.0.0.1', directory, silent: true, allowMismatchedSignatures: true });
await server.run();
process.stdout.write('ready\n');
