import { Box } from '@mantine/core';
import { CopyButton } from './CopyButton.tsx';

/** Text to paste elsewhere. @param label accessible name of the copy button */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className="code">
      <ScrollableCode className="code-block">{code}</ScrollableCode>
      <Box pos="absolute" top={4} right={4}>
        <CopyButton text={code} label={label} />
      </Box>
    </div>
  );
}

/** Preformatted text that scrolls, and can therefore be focused by keyboard (WCAG 2.2, 2.1.1). */
export function ScrollableCode({
  className,
  children,
}: {
  className?: string;
  children: string | null | undefined;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <pre className={className} tabIndex={0}>
      {children}
    </pre>
  );
}

/** Returns a `curl` command that posts JSON. @param headers further header lines */
export function curlOf(url: string, body: unknown, headers: readonly string[] = []): string {
  return [
    `curl ${url}`,
    ...['Content-Type: application/json', ...headers].map((header) => `-H '${header}'`),
    `-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`,
  ].join(' \\\n  ');
}
