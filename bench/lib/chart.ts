/** A curve over time, with its axis. */
export interface Curve {
  /** Title with the unit. */
  title: string;
  values: readonly number[];
  /** Drawn as a dashed line; null = none. */
  limit: number | null;
}

const WIDTH = 720;
const HEIGHT = 130;
const LEFT = 56;
const GAP = 44;
const COLOUR = '#2f6f9f';

/** Returns a picture (SVG) of curves below each other, over the same time. @param minutes that all values cover */
export function chart(curves: readonly Curve[], minutes: number): string {
  const height = curves.length * (HEIGHT + GAP) + 20;
  const panels = curves.map((curve, index) => panel(curve, 24 + index * (HEIGHT + GAP)));
  const times = Array.from({ length: 6 }, (_, index) => {
    const x = LEFT + ((WIDTH - LEFT - 20) * index) / 5;
    return text(x, height - 12, `${round((minutes * index) / 5)} min`, 'middle');
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">
<title>${curves.map(({ title }) => title).join('; ')}</title>
<rect width="100%" height="100%" fill="#ffffff"/>
${[...panels, ...times].join('\n')}
</svg>
`;
}

function panel({ title, values, limit }: Curve, top: number): string {
  const most = niceAbove(Math.max(...values, limit ?? 0));
  const x = (index: number) => LEFT + ((WIDTH - LEFT - 20) * index) / Math.max(1, values.length - 1);
  const y = (value: number) => top + HEIGHT - (HEIGHT * value) / most;
  const points = values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  const right = WIDTH - 20;
  return [
    text(LEFT, top - 8, title, 'start'),
    line(LEFT, y(0), right, y(0), '#808080'),
    line(LEFT, top, LEFT, y(0), '#808080'),
    text(LEFT - 6, top + 10, String(most), 'end'),
    text(LEFT - 6, y(0), '0', 'end'),
    limit === null ? '' : line(LEFT, y(limit), right, y(limit), '#b04040', '4 3'),
    limit === null ? '' : text(right, y(limit) - 4, `target ${limit}`, 'end'),
    `<polyline points="${points}" fill="none" stroke="${COLOUR}" stroke-width="2"/>`,
  ].join('\n');
}

function line(x1: number, y1: number, x2: number, y2: number, color: string, dashes = 'none'): string {
  return `<line x1="${x1}" y1="${y1.toFixed(1)}" x2="${x2}" y2="${y2.toFixed(1)}" stroke="${color}" stroke-dasharray="${dashes}"/>`;
}

function text(x: number, y: number, words: string, anchor: 'start' | 'middle' | 'end'): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" fill="#303030">${words}</text>`;
}

/** Returns the next of 1, 2, 5, 10, 20, … */
function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return power * ([1, 2, 5].find((factor) => factor * power >= value) ?? 10);
}

const round = (value: number) => Math.round(value * 10) / 10;
