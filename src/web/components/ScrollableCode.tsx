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
