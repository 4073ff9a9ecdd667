import { sourceFile } from '../../../kernel/program-files.ts';

const scripts = new Map<string, Promise<string>>();

/** Returns a script of the page for browsers, as one module: the gallery, or the form for files. */
export function browserScript(name: 'gallery' | 'send'): Promise<string> {
  const known = scripts.get(name);
  if (known !== undefined) return known;
  const script = bundle(sourceFile(`storage/routes/folder-page/browser/${name}/${name}.ts`));
  scripts.set(name, script);
  script.catch(() => scripts.delete(name));
  return script;
}

async function bundle(path: string): Promise<string> {
  const { outputs } = await Bun.build({ entrypoints: [path], target: 'browser', minify: true });
  return (await outputs[0]?.text()) ?? '';
}
