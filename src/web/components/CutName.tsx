import { shownName } from '../../text/shown-name.ts';
import { Name } from './Name.tsx';

const TAIL = 12;

/** A name on one line. A long one is cut in the middle, so that its version and extension stay visible. */
export function CutName({ name }: { name: string }) {
  const letters = [...shownName(name)];
  if (letters.length <= 2 * TAIL) return <Name name={name} />;
  return (
    <bdi className="cut-name">
      <span>{letters.slice(0, -TAIL)}</span>
      <span>{letters.slice(-TAIL)}</span>
    </bdi>
  );
}
