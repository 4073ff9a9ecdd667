const english = {
  download: 'Download',
  slideShow: 'Slide show',
  close: 'Close',
  previous: 'Previous picture',
  next: 'Next picture',
  pictures: 'Pictures',
  failedPicture: 'The picture cannot be shown. It may be damaged. You can download it.',
  numberOf: (number: number, all: number) => `${number} of ${all}`,
};
const german: typeof english = {
  download: 'Herunterladen',
  slideShow: 'Diaschau',
  close: 'Schließen',
  previous: 'Voriges Bild',
  next: 'Nächstes Bild',
  pictures: 'Bilder',
  failedPicture:
    'Das Bild kann nicht angezeigt werden. Es ist vielleicht beschädigt. Sie können es herunterladen.',
  numberOf: (number, all) => `${number} von ${all}`,
};

export const texts = document.documentElement.lang === 'de' ? german : english;
