export const texts = {
  title: 'Upload shared files',
  received: (files: string, bytes: string) => `${files} (${bytes}). Choose a folder.`,
  files: 'Shared files',
  discard: 'Discard',
  uploadTo: (folder: string) => `Upload to “${folder}”`,
  nothing: 'Nothing to upload',
  nothingText:
    'Install Posthouse on your phone, and share pictures with it from another app. They arrive here.',
};
