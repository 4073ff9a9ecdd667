export const texts = {
  formatted: 'Formatted',
  text: 'Text',
  view: 'View',
  bounded: (size: string) => `Only the first ${size} are shown.`,
};
