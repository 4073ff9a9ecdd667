import { Center, Loader } from '@mantine/core';

export function PageLoader({ full = false }: { full?: boolean }) {
  return (
    <Center mih={full ? '100vh' : 240} role="status" aria-label="Loading">
      <Loader />
    </Center>
  );
}
