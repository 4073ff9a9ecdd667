export const texts = {
  formatted: 'Formatted',
  text: 'Text',
  view: 'View',
  bounded: (size: string) => `Only the first ${size} are shown.`,
  loading: 'Loading',
  previous: 'Previous',
  next: 'Next',
  download: 'Download',
  close: 'Close',
  failed: 'The preview failed. You can download the file.',
  noPreview: 'No preview for this file type.',
};
