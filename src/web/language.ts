/** The language of this build of the app, as a BCP 47 tag. */
export const LANGUAGE: string = 'en';
