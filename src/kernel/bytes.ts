/** A megabyte, in bytes. */
export const MB = 1024 ** 2;
