import { type MantineColorScheme, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { Monitor, Moon, Sun } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconLabel } from '../components/IconLabel.tsx';
import { texts } from './texts.ts';

const CHOICES: readonly { value: MantineColorScheme; label: string; icon: ReactNode }[] = [
  { value: 'light', label: texts.light, icon: <Sun size={16} /> },
  { value: 'dark', label: texts.dark, icon: <Moon size={16} /> },
  { value: 'auto', label: texts.system, icon: <Monitor size={16} /> },
];

export function SchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      fullWidth
      flex={1}
      size="xs"
      aria-label={texts.scheme}
      value={colorScheme}
      onChange={(value) => setColorScheme(value as MantineColorScheme)}
      data={CHOICES.map(({ value, label, icon }) => ({
        value,
        label: <IconLabel icon={icon} label={label} />,
      }))}
    />
  );
}
