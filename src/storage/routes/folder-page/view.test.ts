import { expect, test } from 'bun:test';
import { type FolderPage, folderPage, uploadOnlyPage } from './view.ts';

const DECEPTIVE = 'invoice\u202egpj.exe';
const item = { sizeBytes: 1, mimeType: 'image/png', isFailed: false, size: null, tile: 'thumbnail' } as const;
const shown: FolderPage = {
  language: 'en',
  base: '/public/folder/token',
  title: DECEPTIVE,
  message: null,
  expiresAt: null,
  path: [
    { id: 'root', name: DECEPTIVE },
    { id: 'above', name: DECEPTIVE },
    { id: 'open', name: DECEPTIVE },
  ],
  folders: [{ id: 'below', name: DECEPTIVE }],
  items: [
    { ...item, id: 'picture', name: DECEPTIVE, picture: 'image' },
    { ...item, id: 'file', name: DECEPTIVE, picture: null },
    { ...item, id: 'failed', name: DECEPTIVE, picture: null, isFailed: true },
  ],
  takesFiles: true,
  isFull: false,
  hidden: 0,
  next: null,
  url: '/public/folder/token',
};

test.each([
  ['of a folder', () => folderPage(shown)],
  ['for files of visitors', () => uploadOnlyPage(shown)],
])('names with characters that reorder text do not look like others on the page %s', async (_, render) => {
  const text = await (await render()).text();
  expect(text).toContain('<h1><bdi>invoice\ufffdgpj.exe</bdi></h1>');
  // The styles and scripts are constants.
  expect(text.replace(/<script[\s\S]*?<\/script>/g, '')).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
});
