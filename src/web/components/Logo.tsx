import { Group, Text } from '@mantine/core';

/** The product's logo, the same as `icons/icon.svg`. */
export function Logo({ size = 28, named = false }: { size?: number; named?: boolean }) {
  const sign = (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#2456c8" />
      <path d="M7 10.500h18v12H7z" fill="none" stroke="#fff" strokeWidth="2.2" strokeLinejoin="round" />
      <path
        d="m7.500 11 8.500 7 8.500-7"
        fill="none"
        stroke="#fff"
        strokeWidth="2.2"
        strokeLinejoin="round"
      />
    </svg>
  );
  if (!named) return sign;
  return (
    <Group gap={10} wrap="nowrap">
      {sign}
      <Text fw={650} size="lg" lh={1}>
        Posthouse
      </Text>
    </Group>
  );
}
