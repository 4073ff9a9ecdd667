import { showingNames } from '../showing-names.ts';

export const texts = showingNames({
  skip: 'Skip',
  keepBoth: 'Keep both',
  replace: 'Replace',
  exists: (name: string) => `“${name}” already exists`,
  replaceUpload:
    'Replace: the current content becomes a version that you can restore. Keep both: the new file gets ' +
    'a number.',
  replaceRestored: 'Replace: the current file goes to the trash. Keep both: the restored file gets a number.',
  keepFolder: 'Keep both: the new folder gets a number.',
  existingFile: 'Existing file',
  changed: ', changed',
  newFile: 'New file',
  forAllFiles: 'Do this for all other files whose names are taken',
  forAllFolders: 'Do this for all other folders whose names are taken',
});
