import type { Member } from '../../tree/member.ts';

export const UPLOADS_PATH = '/api/storage/uploads';
export const FILE_ID_HEADER = 'Posthouse-File-Id';

/** Header fields of the protocol that pages of other origins may send. */
export const TUS_REQUEST_HEADERS = [
  'Tus-Resumable',
  'Upload-Length',
  'Upload-Offset',
  'Upload-Metadata',
  'Upload-Checksum',
  'X-HTTP-Method-Override',
] as const;

/** Those that they may read. */
export const TUS_ANSWER_HEADERS = [
  'Tus-Resumable',
  'Tus-Version',
  'Tus-Extension',
  'Tus-Max-Size',
  'Tus-Checksum-Algorithm',
  'Upload-Length',
  'Upload-Offset',
  'Upload-Expires',
  'Upload-Metadata',
  FILE_ID_HEADER,
] as const;

/** One request of the protocol. */
export interface TusRequest {
  /** The effective method, with `X-HTTP-Method-Override` applied. */
  method: string;
  /** Null = anyone, for OPTIONS. */
  member: Member | null;
  /** Null = a new upload. */
  uploadId: string | null;
  /** The workspace of the folder `root`; undefined = the member's own. */
  rootOf?: string;
}

/** Handles one request of the protocol. @throws Problem for every rejected request */
export type AnswerTus = (request: Request, tusRequest: TusRequest) => Promise<Response>;
