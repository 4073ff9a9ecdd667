import { showingNames } from '../../showing-names.ts';

export const texts = showingNames({
  description: 'Links and public files that people without an account can open.',
  nothing: 'Nothing shared yet',
  view: 'View',
  viewAndSend: 'View and send files',
  copyLink: (name: string) => `Copy link to ${name}`,
  options: 'Options',
  linkTo: (name: string) => `Link to ${name}`,
  revokeTitle: (name: string) => `Revoke the link to “${name}”?`,
  becomesPrivate: 'The file becomes private. Its links no longer work.',
  revokeText: 'This link will no longer work. The files stay where they are.',
  revoked: 'Link revoked',
  deletedFolder: 'A deleted folder',
  downloadsOf: (count: number, max: number) => `${count} of ${max} downloads`,
  received: (files: string) => ` · ${files} received`,
  neverExpires: 'Never expires',
  byName: (name: string) => ` · by ${name}`,
  limitReached: 'Download limit reached',
  expiresSoon: 'Expires soon',
});
