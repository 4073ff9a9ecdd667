import type { Message } from '../../api/messages.ts';

const COLUMNS = [
  'id',
  'dateCreated',
  'dateFinished',
  'kind',
  'clientId',
  'to',
  'title',
  'status',
  'attempts',
  'error',
  'sandbox',
] as const satisfies readonly (keyof Message)[];

/** Returns messages as CSV (RFC 4180) with the API's field names, and a byte order mark, as spreadsheets expect. */
export function messagesCsv(messages: readonly Message[]): string {
  const rows = messages.map((message) => COLUMNS.map((column) => cell(message[column])).join(','));
  return `\ufeff${[COLUMNS.join(','), ...rows].join('\r\n')}\r\n`;
}

function cell(value: Message[(typeof COLUMNS)[number]]): string {
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '');
  // A spreadsheet would run the cell as a formula (https://owasp.org/www-community/attacks/CSV_Injection).
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
