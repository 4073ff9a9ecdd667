/* Reads the flat XML of S3's responses (https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html). */

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Returns the text of the first element `name`; null = there is none. */
export function textOf(xml: string, name: string): string | null {
  const [content] = contentsOf(xml, name);
  return content === undefined ? null : content.replace(/&(\w+);/g, (all, entity) => ENTITIES[entity] ?? all);
}

/** Returns the contents of all elements `name`, which do not contain each other. */
export function contentsOf(xml: string, name: string): string[] {
  const contents: string[] = [];
  for (let at = 0; ; ) {
    const start = xml.indexOf(`<${name}>`, at);
    const end = xml.indexOf(`</${name}>`, start);
    if (start < 0 || end < 0) return contents;
    contents.push(xml.slice(start + name.length + 2, end));
    at = end;
  }
}
