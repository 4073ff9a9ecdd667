import { createRequire } from 'node:module';
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
  let mrml: Mrml | null = null;
  return (source) => {
    mrml ??= loadMrml();
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
  let result: ToHtmlResult;
  try {
    engine.setRenderOptions({ disableComments: true, socialIconOrigin: null, fonts: {} });
    result = engine.toHtml(source);
  } catch (error) {
    freeAfterFailure(engine);
    throw error;
  }
  engine.free();
  return result;
}

/** Unregisters the engine from its finalizer, which would otherwise call into the corrupt instance later. */
function freeAfterFailure(engine: MrmlEngine): void {
  try {
    engine.free();
  } catch {
    // The first error is the one to report.
  }
}

/** Loads a copy of the module beside any earlier one. */
function loadMrml(): Mrml {
  const require = createRequire(import.meta.url);
  delete require.cache[require.resolve('mrml')];
  return require('mrml') as Mrml;
}
