import { useDisclosure, useHotkeys } from '@mantine/hooks';
import type { Me } from '../../api/session.ts';
import { lazyComponent } from '../../components/lazy-component.tsx';
import { useTypedAhead } from './useTypedAhead.ts';

const Palette = lazyComponent(async () => (await import('./Palette.tsx')).Palette);
const KeysDialog = lazyComponent(async () => (await import('./KeysDialog.tsx')).KeysDialog);

/** The shortcuts of every page: the palette, the list of shortcuts, and the search of the page. */
export function useShortcutHelp() {
  const [paletteOpened, palette] = useDisclosure();
  const [keysOpened, keys] = useDisclosure();
  // Works in text fields too, where it has no other meaning.
  useHotkeys([['mod+K', palette.toggle]], []);
  const unlessDialog = (run: () => void) => () => document.querySelector('[role=dialog]') === null && run();
  const search = unlessDialog(() => focusSearch() || palette.open());
  const showKeys = unlessDialog(keys.open);
  useHotkeys([
    ['/', search],
    // Shift+7 on German keyboards.
    ['shift+/', search],
    ['?', showKeys],
    ['shift+?', showKeys],
  ]);
  return { paletteOpened, keysOpened, openPalette: palette.open, closePalette: palette.close, keys };
}

/** Focuses the search of the page; false = it has none. */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]');
  field?.focus();
  return field !== null;
}

interface ShortcutHelpProps {
  me: Me;
  help: ReturnType<typeof useShortcutHelp>;
}

/** The palette and the list of shortcuts, loaded when they are first opened. */
export function ShortcutHelp({ me, help }: ShortcutHelpProps) {
  return (
    <>
      {help.paletteOpened && <OpenPalette me={me} help={help} />}
      {help.keysOpened && <KeysDialog close={help.keys.close} />}
    </>
  );
}

/** The palette with what was typed while it was loaded. */
function OpenPalette({ me, help }: ShortcutHelpProps) {
  const [query, setQuery] = useTypedAhead(help.closePalette);
  return (
    <Palette me={me} query={query} setQuery={setQuery} close={help.closePalette} showKeys={help.keys.open} />
  );
}
