import { shownName } from '../../text/shown-name.ts';

/** A name within other text, isolated so that it cannot reorder that text. */
export const Name = ({ name }: { name: string }) => <bdi>{shownName(name)}</bdi>;
