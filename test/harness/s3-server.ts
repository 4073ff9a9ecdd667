import crypto from 'node:crypto';
import fs from 'node:fs';
import S3rver from '@20minutes/s3rver';

/** Run as a separate process, to keep it off the tests' event loop: `s3-server.ts PORT DIRECTORY`. */
const [port, directory] = process.argv.slice(2);
// Unlike Node, Bun does not sort the names of a directory, and has no DES, by which the token of the next page of a
// listing is encrypted. No client reads the token.
const { readdirSync } = fs;
const plain = () => ({ update: (text: string | Buffer) => Buffer.from(text), final: () => Buffer.alloc(0) });
Object.assign(fs, { readdirSync: (directory: string) => readdirSync(directory).sort() });
Object.assign(crypto, { createCipheriv: plain, createDecipheriv: plain });
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
