export const texts = {
  skip: 'Skip',
  keepBoth: 'Keep both',
  replace: 'Replace',
  exists: (name: string) => `“${name}” exists already`,
  replaceUpload:
    'Replace it, and its present content becomes a version that you can restore; or keep both, and ' +
    'the new file gets a number.',
  replaceRestored: 'Replace it, and it goes to the trash; or keep both, and the restored file gets a number.',
  keepFolder: 'Keep both, and the new folder gets a number.',
  existingFile: 'Existing file',
  changed: ', changed',
  newFile: 'New file',
  forAllFiles: 'Do this for all other files whose names are taken',
  forAllFolders: 'Do this for all other folders whose names are taken',
};
