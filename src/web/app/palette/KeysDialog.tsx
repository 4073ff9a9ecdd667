import { Stack, Title } from '@mantine/core';
import { Dialog } from '../../components/Dialog.tsx';
import { texts as common } from '../../texts.ts';
import { texts } from './texts.ts';

const GROUPS: Record<string, readonly (readonly [keys: string, effect: string])[]> = {
  [texts.everyPage]: [
    [common.ctrlK, texts.search],
    ['/', texts.searchPage],
    ['?', texts.showKeys],
  ],
  [common.files]: [
    ['↑ ↓ ← →', texts.moveFocus],
    [texts.enter, common.open],
    [texts.space, texts.select],
    [texts.ctrlA, common.selectAll],
    ['S', common.shareAndDetails],
    ['D', common.download],
    ['F2', common.rename],
    ['M', common.move],
    ['C', common.copy],
    ['R', common.replaceContent],
    ['V', common.versions],
    [common.del, common.delete],
    ['Esc', texts.clear],
  ],
  [common.preview]: [
    ['← →', texts.nextFile],
    ['+ − 0', texts.zoom],
  ],
};

/** Lists the keyboard shortcuts. */
export function KeysDialog({ close }: { close(): void }) {
  return (
    <Dialog close={close} title={texts.keys}>
      <Stack gap="lg">
        {Object.entries(GROUPS).map(([group, shortcuts]) => (
          <section key={group}>
            <Title order={3} mb="xs">
              {group}
            </Title>
            <dl className="facts">
              {shortcuts.map(([keys, effect]) => (
                <div key={keys} className="fact">
                  <dt>
                    <kbd className="shortcut">{keys}</kbd>
                  </dt>
                  <dd>{effect}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </Stack>
    </Dialog>
  );
}
