import { sourceFile } from '../../kernel/program-files.ts';

/** Scripts of pages for browsers, by their sources. */
const SOURCES = {
  gallery: 'folder-page/browser/gallery/gallery.ts',
  send: 'folder-page/browser/send/send.ts',
  media: 'share-page/browser/media.ts',
  pdf: 'share-page/browser/pdf.ts',
  text: 'share-page/browser/text.ts',
};
const scripts = new Map<string, Promise<string>>();

/** Returns a script of a page for browsers, as one module. */
export function browserScript(name: keyof typeof SOURCES): Promise<string> {
  const known = scripts.get(name);
  if (known !== undefined) return known;
  const script = bundle(sourceFile(`storage/routes/${SOURCES[name]}`));
  scripts.set(name, script);
  script.catch(() => scripts.delete(name));
  return script;
}

async function bundle(path: string): Promise<string> {
  const { outputs } = await Bun.build({ entrypoints: [path], target: 'browser', minify: true });
  return (await outputs[0]?.text()) ?? '';
}
