const TAIL = 12;

/** A name on one line. A long one is cut in the middle, so that its version and extension stay visible. */
export function CutName({ name }: { name: string }) {
  const letters = [...name];
  if (letters.length <= 2 * TAIL) return name;
  return (
    <span className="cut-name" dir="auto">
      <span>{letters.slice(0, -TAIL)}</span>
      <span>{letters.slice(-TAIL)}</span>
    </span>
  );
}
