import { type MantineColorScheme, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { Monitor, Moon, Sun } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconLabel } from '../components/IconLabel.tsx';
import { common } from '../texts/common.ts';

const CHOICES: readonly { value: MantineColorScheme; label: string; icon: ReactNode }[] = [
  { value: 'light', label: common.scheme.light, icon: <Sun size={16} /> },
  { value: 'dark', label: common.scheme.dark, icon: <Moon size={16} /> },
  { value: 'auto', label: common.scheme.auto, icon: <Monitor size={16} /> },
];

export function SchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      fullWidth
      flex={1}
      size="xs"
      aria-label={common.scheme.label}
      value={colorScheme}
      onChange={(value) => setColorScheme(value as MantineColorScheme)}
      data={CHOICES.map(({ value, label, icon }) => ({
        value,
        label: <IconLabel icon={icon} label={label} />,
      }))}
    />
  );
}
