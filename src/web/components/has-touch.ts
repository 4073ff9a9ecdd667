/** Reports whether the device is used by touch, and cannot drop files from elsewhere. */
export const hasTouch = () => matchMedia('(pointer: coarse)').matches;
