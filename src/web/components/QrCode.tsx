import { useQuery } from '@tanstack/react-query';

const SIZE = 200;
/** Light modules around the code. */
const MARGIN = 3;

/** A QR code, dark on light in both color schemes so that cameras can read it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const code = useQuery({
    queryKey: ['qr', text],
    queryFn: () => draw(text),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!code.data) return <div style={{ width: SIZE, height: SIZE }} />;
  const whole = code.data.modules + 2 * MARGIN;
  return (
    <svg
      className="qr-code"
      role="img"
      aria-label={label}
      width={SIZE}
      height={SIZE}
      viewBox={`${-MARGIN} ${-MARGIN} ${whole} ${whole}`}
      shapeRendering="crispEdges"
    >
      <rect x={-MARGIN} y={-MARGIN} width={whole} height={whole} fill="#fff" />
      <path d={code.data.path} fill="#000" />
    </svg>
  );
}

async function draw(text: string): Promise<{ modules: number; path: string }> {
  const { default: qrcode } = await import('qrcode-generator');
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  const modules = code.getModuleCount();
  let path = '';
  for (let row = 0; row < modules; row++) {
    for (let column = 0; column < modules; column++)
      if (code.isDark(row, column)) path += `M${column} ${row}h1v1h-1z`;
  }
  return { modules, path };
}
