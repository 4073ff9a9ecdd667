/** Reports whether the device is used by touch: files cannot be dropped from other programs. */
export const hasTouch = () => matchMedia('(pointer: coarse)').matches;
