/** Whether the device is used by touch, and cannot drop files from elsewhere. */
export const HAS_TOUCH = matchMedia('(pointer: coarse)').matches;
