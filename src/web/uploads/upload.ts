/** One file on its way to the server. */
export interface Upload {
  id: string;
  file: File;
  name: string;
  /** Where it goes: below this folder … */
  folderId: string;
  /** … into these folders, which are made when they are missing. */
  path: readonly string[];
  /** The file whose content this becomes; null = a new one. */
  replaceFileId: string | null;
  status: UploadStatus;
  /** Bytes that the server has. */
  sent: number;
  /** Why it failed, or what it waits for. */
  reason: string | null;
  /** Where a resumable upload goes on. */
  address: string | null;
  /** The browser keeps it over a reload. */
  kept: boolean;
}

/** `offline`: the server does not answer; it is tried again by itself. */
export type UploadStatus = 'waiting' | 'running' | 'paused' | 'offline' | 'done' | 'failed';

export const isUnfinished = ({ status }: Upload) => status === 'waiting' || status === 'running' || status === 'offline';

/** What the transports tell while they send. */
export interface SendingParts {
  upload: Upload;
  folderId: string;
  signal: AbortSignal;
  progress(sent: number): void;
  /** A resumable upload has its address now. */
  addressed(address: string): void;
}

/** Sends one file; ends when the server has it. @throws ApiError (status 0 = not reached); AbortError when stopped */
export type Send = (parts: SendingParts) => Promise<void>;
