import { shownName } from '../../text/shown-name.ts';

/** A name within other text, which it cannot reorder. */
export const Name = ({ name }: { name: string }) => <bdi>{shownName(name)}</bdi>;
