import type { RenderLiquid } from './liquid.ts';
import { createMjml, type RenderMjml } from './mjml.ts';
import { createMjmlEngine } from './mjml-engine.ts';

export interface Renderers {
  liquid: RenderLiquid;
  mjml: RenderMjml;
  /** Returns the text alternative of an HTML mail. */
  plainTextOf(html: string): string;
}

/** Returns the renderers; the first call loads their libraries. */
export type LoadRenderers = () => Promise<Renderers>;

export function createRenderers(): LoadRenderers {
  let loading: Promise<Renderers> | undefined;
  const load = async () => {
    const [{ createLiquid }, { plainTextOf }] = await Promise.all([
      import('./liquid.ts'),
      import('./plain-text.ts'),
    ]);
    return { liquid: createLiquid(), mjml: createMjml(createMjmlEngine()), plainTextOf };
  };
  return () => {
    loading ??= load();
    return loading;
  };
}
