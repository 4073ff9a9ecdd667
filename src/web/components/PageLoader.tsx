import { Center, Loader } from '@mantine/core';
import { texts } from './texts.ts';

export function PageLoader({ full = false }: { full?: boolean }) {
  return (
    <Center mih={full ? '100vh' : 240} role="status" aria-label={texts.loading}>
      <Loader />
    </Center>
  );
}
