import { Modal, Stack, Title } from '@mantine/core';
import { texts as common } from '../../texts.ts';
import { texts } from './texts.ts';

const GROUPS: Record<string, readonly (readonly [keys: string, effect: string])[]> = {
  [texts.everyPage]: [
    [texts.ctrlK, texts.search],
    ['/', texts.searchPage],
    ['?', texts.showKeys],
  ],
  [texts.files]: [
    ['↑ ↓ ← →', texts.moveFocus],
    [texts.enter, texts.open],
    [texts.space, texts.select],
    [texts.ctrlA, texts.selectAll],
    ['S', common.shareAndDetails],
    ['D', texts.download],
    ['F2', texts.rename],
    ['M', texts.move],
    ['C', texts.copy],
    ['R', texts.replace],
    ['V', texts.versions],
    [texts.del, texts.delete],
    ['Esc', texts.clear],
  ],
  [texts.preview]: [
    ['← →', texts.nextFile],
    ['+ − 0', texts.zoom],
  ],
};

/** Lists the keyboard shortcuts. */
export function KeysDialog({ close }: { close(): void }) {
  return (
    <Modal opened onClose={close} title={texts.keys}>
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
    </Modal>
  );
}
