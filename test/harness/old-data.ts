import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { freshDirectory, freshPostgres } from './backends.ts';
import type { MailClient } from './mail.ts';

/** Data that earlier versions wrote: see `README.md` of each directory of `test/fixtures`. */
export type OldDatabase = 'sqlite' | 'postgres';

const FIXTURES = join(import.meta.dir, '../fixtures');

export interface SharedFile {
  id: string;
  name: string;
  text: string;
  folder: string;
  directToken: string;
  uiToken: string;
  accessKey: string | null;
}

/** The `facts.json` that `scripts/make-fixture.ts` writes. */
export interface Facts {
  email: string;
  password: string;
  token: string;
  cookie: string;
  files: Record<'plain' | 'nested' | 'open' | 'keyed' | 'limited' | 'trashed', SharedFile> & {
    locked: SharedFile & { password: string };
    reports: string;
    year: string;
  };
  upload: OldUpload;
  chat: { botToken: string; guild: string; channel: string; texts: string[]; ids: string[] };
  mail: { client: MailClient; due: Queued; scheduled: Queued };
  /** Absent in the data of versions before shared workspaces. */
  team?: TeamFacts;
}

interface Queued {
  subject: string;
  id: string;
}

/** A partly received resumable upload; its bytes are those of `uploadBytes`. */
export interface OldUpload {
  path: string;
  name: string;
  bytes: number;
  received: number;
  sha256: string;
}

/** A shared workspace of the account, with links. */
export interface TeamFacts {
  workspaceId: string;
  rootFolderId: string;
  editorEmail: string;
  /** A token of the workspace. */
  appToken: string;
  /** Files that are not deleted, of all shared workspaces. */
  fileCount: number;
  /** Every folder and file of the workspace by its path, as `treeOf` returns it. */
  tree: Record<string, string>;
  album: { link: OldLink & { password: string }; day: string; photo: string };
  chosen: { link: OldLink; names: string[] };
  inbox: { link: OldLink; maxFiles: number; sent: string; sender: string; upload: OldUpload };
  /** A file with its current text and those of its versions, newest first. */
  versions: { id: string; texts: string[] };
  /** A deleted folder, by the paths below it, and a link to it. */
  deleted: { id: string; link: OldLink; tree: Record<string, string> };
  /** A deleted workspace. */
  gone: { id: string; file: string; text: string };
}

export interface OldLink {
  id: string;
  token: string;
}

/** Returns the fixtures with their name and database. */
export function oldData(): { name: string; database: OldDatabase; directory: string; facts: Facts }[] {
  const names = readdirSync(FIXTURES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return names.flatMap(({ name }) =>
    (['sqlite', 'postgres'] as const).map((database) => {
      const directory = join(FIXTURES, name, database);
      const facts = JSON.parse(readFileSync(join(directory, 'facts.json'), 'utf8')) as Facts;
      return { name, database, directory, facts };
    }),
  );
}

/** Copies a fixture; returns the settings that open the copy. */
export async function unpack(fixture: string): Promise<Record<string, string>> {
  const dataDir = freshDirectory();
  const unzip = (name: string) => Bun.gunzipSync(readFileSync(join(fixture, name)));
  cpSync(join(fixture, 'blobs'), join(dataDir, 'blobs'), { recursive: true });
  cpSync(join(fixture, 'secret.key'), join(dataDir, 'secret.key'));
  chmodSync(join(dataDir, 'secret.key'), 0o600);
  if (existsSync(join(fixture, 'posthouse.sqlite.gz'))) {
    writeFileSync(join(dataDir, 'posthouse.sqlite'), unzip('posthouse.sqlite.gz'));
    return { POSTHOUSE_DATA_DIR: dataDir };
  }
  const url = await freshPostgres();
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(new TextDecoder().decode(unzip('posthouse.sql.gz')));
  await client.end();
  return { POSTHOUSE_DATA_DIR: dataDir, POSTHOUSE_DATABASE_URL: url };
}
