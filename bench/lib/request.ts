/** Returns the head of a request, with the empty line. @param line method and path */
export function headOf(line: string, fields: Record<string, string | number> = {}): string {
  const lines = Object.entries({ Host: 'bench', ...fields }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** Returns a POST request with a JSON body. */
export function jsonRequest(path: string, body: object, fields: Record<string, string> = {}): string {
  const text = JSON.stringify(body);
  const content = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
  return headOf(`POST ${path}`, { ...content, ...fields }) + text;
}
