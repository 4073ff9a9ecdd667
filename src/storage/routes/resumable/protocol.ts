export const UPLOADS_PATH = '/api/storage/uploads';
export const FILE_ID_HEADER = 'Posthouse-File-Id';

/** One request of the protocol. */
export interface TusRequest {
  /** The effective method, with `X-HTTP-Method-Override` applied. */
  method: string;
  accountId: string;
  /** Null = a new upload. */
  uploadId: string | null;
}

/** Handles one request of the protocol. @throws Problem for every rejected request */
export type AnswerTus = (request: Request, tusRequest: TusRequest) => Promise<Response>;
