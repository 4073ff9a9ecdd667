import type { Content } from '../../content.ts';
import { type Fields, PlainFields, type PlainHeaders } from './plain-fields.ts';

interface Head {
  status?: number;
  headers: PlainHeaders;
}

/**
 * A response whose content is sent without a copy. A `Response` with a body would copy the bytes, which takes longer
 * than sending them. `body` is null. Its header fields are in a plain object until `headers` is read.
 */
export class ContentResponse extends Response {
  readonly content: Content;
  #fields: Fields;

  constructor(content: Content, { status, headers }: Head) {
    super(null, { status });
    this.content = content;
    this.#fields = new PlainFields(headers);
  }

  get fields(): Fields {
    return this.#fields;
  }

  override get headers(): Headers {
    if (this.#fields instanceof Headers) return this.#fields;
    const headers = new Headers(this.#fields.toJSON() as PlainHeaders);
    this.#fields = headers;
    return headers;
  }
}

/** Returns the header fields of a response, without the conversion of plain ones to `Headers`. */
export function fieldsOf(response: Response): Fields {
  return response instanceof ContentResponse ? response.fields : response.headers;
}
