import { Engine } from 'mrml';
import { invalidTemplate } from './liquid.ts';

/** True when a template is MJML and not HTML. */
export function isMjml(source: string): boolean {
  return /^\s*(?:<!--[\s\S]*?-->\s*)*<mjml[\s>]/i.test(source);
}

/**
 * HTML for MJML. No font is fetched from elsewhere and nothing is included.
 * @throws Problem 400 `invalid_template`
 */
export function renderMjml(source: string, field: string): string {
  const engine = new Engine();
  try {
    engine.setRenderOptions({ disableComments: true, socialIconOrigin: null, fonts: {} });
    const result = engine.toHtml(source.trim());
    if (result.type === 'success') return result.content;
    const details = result.origin === 'parser' ? result.details : null;
    const reason = `the MJML is not valid: ${details?.type.replaceAll('-', ' ') ?? result.message}`;
    if (!details || !('position' in details)) throw invalidTemplate(field, reason);
    const before = Buffer.from(source.trim()).subarray(0, details.position.start).toString('utf8').split('\n');
    throw invalidTemplate(field, reason, before.length, (before.at(-1)?.length ?? 0) + 1);
  } finally {
    engine.free();
  }
}
