import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core';
import { useSafeClose } from './unsaved.ts';

type DialogProps<Props> = Omit<Props, 'opened' | 'onClose'> & { close(): void };

/** A dialog that is open while it is rendered. Asks before Escape, a click outside or its button discards changes. */
export const Dialog = ({ close, ...props }: DialogProps<ModalProps>) => (
  <Modal opened onClose={useSafeClose(close)} {...props} />
);

/** A dialog at the side of the window. */
export const SidePanel = ({ close, ...props }: DialogProps<DrawerProps>) => (
  <Drawer opened onClose={useSafeClose(close)} {...props} />
);
