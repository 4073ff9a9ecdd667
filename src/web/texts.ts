import { typeNames } from '../text/type-names.ts';

export const texts = {
  close: 'Close',
  create: 'Create',
  save: 'Save',
  cancel: 'Cancel',
  deleteClient: (name: string) => `Delete client “${name}”?`,
  newClient: 'New client',
  request: 'Request',
  requestFor: (name: string) => `Request for ${name}`,
  commandLine: 'From the command line',
  hello: 'Hello',
  testMessage: 'A test message from Posthouse.',
  botToken: 'Bot token',
  togglePassword: 'Show or hide password',
  share: 'Share',
  shareAndDetails: 'Share and details',
  /** @param share the item of menus of folders and of several files @param details that of menus of files */
  shareHint: (share: string, details: string) =>
    `To create a link, choose “${share}” in the menu of a folder or of several files, or “${details}” in the ` +
    'menu of a file.',
  /** The forms for one and for another number (`countOf`). */
  nouns: {
    attempt: { one: 'attempt', other: 'attempts' },
    item: { one: 'item', other: 'items' },
    channel: { one: 'channel', other: 'channels' },
    time: { one: 'time', other: 'times' },
    download: { one: 'download', other: 'downloads' },
    file: { one: 'file', other: 'files' },
    folder: { one: 'folder', other: 'folders' },
    picture: { one: 'picture', other: 'pictures' },
    media: { one: 'picture or video', other: 'pictures and videos' },
    server: { one: 'server', other: 'servers' },
    message: { one: 'message', other: 'messages' },
    link: { one: 'link', other: 'links' },
    workspace: { one: 'workspace', other: 'workspaces' },
  },
  daysLeft: (days: string) => `${days} days left`,
  lessThanADayLeft: 'less than a day left',
  typeNames,
};
