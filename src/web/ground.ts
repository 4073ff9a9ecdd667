/** Background color of the pages in each color scheme. */
export const GROUND = { light: '#f4f5f7', dark: '#14171c' } as const;
