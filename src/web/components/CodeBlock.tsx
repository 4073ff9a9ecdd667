import { CopyButton } from './CopyButton.tsx';

/** Text to paste elsewhere. @param label accessible name of the copy button */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className="code">
      <ScrollableCode className="code-block">{code}</ScrollableCode>
      <div className="code-copy">
        <CopyButton text={code} label={label} />
      </div>
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
