import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Engine as MrmlEngine, ToHtmlResult } from 'mrml';

/** The module `mrml`. Each copy has a separate WebAssembly instance. */
interface Mrml {
  Engine: new () => MrmlEngine;
}

/**
 * Renders MJML with mrml. No font is loaded from elsewhere.
 * @throws Error when mrml itself fails, for example with a stack overflow; later calls are not affected
 */
export type MjmlEngine = (source: string) => ToHtmlResult;

/** Creates an engine that replaces its WebAssembly instance after each failure, which leaves it corrupt. */
export function createMjmlEngine(): MjmlEngine {
  const instantiate = createLoader();
  let mrml: Mrml | null = null;
  return (source) => {
    mrml ??= instantiate();
    try {
      return renderWith(mrml, source);
    } catch (error) {
      mrml = null;
      throw error;
    }
  };
}

function renderWith({ Engine }: Mrml, source: string): ToHtmlResult {
  const engine = new Engine();
  try {
    engine.setRenderOptions({ disableComments: true, socialIconOrigin: null, fonts: {} });
    const result = engine.toHtml(source);
    engine.free();
    return result;
  } catch (error) {
    freeAfterFailure(engine);
    throw error;
  }
}

/** Unregisters the engine from its finalizer, which would otherwise call into the corrupt instance later. */
function freeAfterFailure(engine: MrmlEngine): void {
  try {
    engine.free();
  } catch {
    // The first error is the one to report.
  }
}

/**
 * Returns a function that creates a further copy of the module. It evaluates the text of the module, which is read
 * now: later, the process may not open files (see `confine`).
 */
function createLoader(): () => Mrml {
  const file = createRequire(import.meta.url).resolve('mrml');
  const bytes = readFileSync(join(dirname(file), 'mrml_wasm_bg.wasm'));
  const evaluate = new Function('require', '__dirname', 'exports', readFileSync(file, 'utf8'));
  return () => {
    const loaded = {};
    evaluate(() => ({ readFileSync: () => bytes }), '', loaded);
    return loaded as Mrml;
  };
}
