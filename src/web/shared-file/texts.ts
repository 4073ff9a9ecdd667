export const texts = {
  locked: 'This PDF is protected by a password. Download the file to open it.',
};
