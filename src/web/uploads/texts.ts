import { showingNames } from '../showing-names.ts';

export const texts = showingNames({
  uploads: 'Uploads',
  progressAll: 'Progress of all uploads',
  notUploaded: (count: number) =>
    count === 1 ? '1 file was not uploaded' : `${count} files were not uploaded`,
  sentOf: (sent: string, total: string) => `${sent} of ${total}`,
  collapse: 'Collapse upload list',
  expand: 'Expand upload list',
  pauseAll: 'Pause all',
  resumeAll: 'Resume all',
  cancelAll: 'Cancel all',
  uploadedAll: (count: number) => `${count} uploaded`,
  uploading: (number: number, all: number) => `Uploading ${number} of ${all}`,
  progressOf: (name: string) => `Progress of ${name}`,
  pause: (name: string) => `Pause ${name}`,
  resume: (name: string) => `Resume ${name}`,
  retry: (name: string) => `Retry ${name}`,
  removeFromList: (name: string) => `Remove ${name} from the list`,
  cancel: (name: string) => `Cancel ${name}`,
  uploaded: (size: string) => `Uploaded · ${size}`,
  paused: (size: string) => `Paused · ${size}`,
  waiting: (size: string) => `Waiting · ${size}`,
  tooLarge: (size: string, limit: string) => `${size} exceeds the limit of ${limit}.`,
  unreadable: 'The file can no longer be read. It may have been moved or changed.',
  noResponse: 'The server does not respond. Retrying automatically.',
  waitingForChoice: 'The name is taken. Waiting for your decision.',
});
