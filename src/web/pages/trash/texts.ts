import { showingNames } from '../../showing-names.ts';

export const texts = showingNames({
  select: (name: string) => `Select ${name}`,
  restore: 'Restore',
  restoreNamed: (name: string) => `Restore ${name}`,
  from: (path: string) => ` · from ${path}`,
  deleted: '· deleted',
  by: (name: string) => ` by ${name}`,
  description: 'Deleted files and folders are kept for a few days. Restoring them restores their links too.',
  empty: 'The trash is empty',
  emptyText: 'Deleted files and folders appear here until they are removed permanently.',
  selected: (count: string) => `${count} selected`,
  restoreSelected: 'Restore selected',
  restoreAll: 'Restore all',
  emptyTrash: 'Empty trash',
  eraseTitle: (items: string) => `Delete ${items} permanently?`,
  eraseAllTitle: 'Delete everything in the trash permanently?',
  eraseText: 'Folders are deleted with all files in them. This cannot be undone.',
  restored: (names: string) => `Restored ${names}`,
  deletedAgain: (names: string) => `Deleted ${names} again`,
  erased: (names: string) => `Deleted ${names} permanently`,
  quoted: (name: string) => `“${name}”`,
});
