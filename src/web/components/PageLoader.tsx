import { Center, Loader } from '@mantine/core';
import { common } from '../texts/common.ts';

export function PageLoader({ full = false }: { full?: boolean }) {
  return (
    <Center mih={full ? '100vh' : 240} role="status" aria-label={common.loading}>
      <Loader />
    </Center>
  );
}
