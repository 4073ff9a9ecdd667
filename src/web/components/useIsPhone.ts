import { useMediaQuery } from '@mantine/hooks';

/** Reports whether the window is as narrow as that of a phone. */
export const useIsPhone = () =>
  useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
