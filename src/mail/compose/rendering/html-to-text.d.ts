declare module 'html-to-text' {
  interface Options {
    wordwrap?: number | false;
    preserveNewlines?: boolean;
    limits?: { maxInputLength?: number; maxDepth?: number; maxChildNodes?: number };
    selectors?: { selector: string; format?: string; options?: Record<string, unknown> }[];
  }
  export function compile(options: Options): (html: string) => string;
}
