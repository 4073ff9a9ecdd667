import { call } from './http.ts';

/** A mail as it was, or would have been, sent. */
export interface MailShown {
  envelope: { from: string; to: string[] };
  headers: { name: string; value: string }[];
  text: string | null;
  hasHtml: boolean;
  attachments: { fileName: string | null; contentType: string; sizeBytes: number; contentId: string | null }[];
  sizeBytes: number;
  opens: { time: string; country: string | null; region: string | null; automatic: boolean }[];
}

export const getMail = (id: string, signal?: AbortSignal) => call<MailShown>('GET', `/api/admin/mail/messages/${id}`, { signal });
