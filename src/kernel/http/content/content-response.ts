import type { Content } from '../../content.ts';

/**
 * A response whose content is sent without a copy. A `Response` with a body would copy the bytes, which takes longer
 * than sending them. `body` is null.
 */
export class ContentResponse extends Response {
  readonly content: Content;

  constructor(content: Content, init: ResponseInit) {
    super(null, init);
    this.content = content;
  }
}
