/** The bytes from `start` up to, but not including, `end`. */
export interface ByteRange {
  start: number;
  end: number;
}
