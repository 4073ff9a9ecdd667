import { CopyButton } from './CopyButton.tsx';

/** Text to paste elsewhere. @param label of the button that copies it */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className="code-block" tabIndex={0}>
        {code}
      </pre>
      <div className="code-copy">
        <CopyButton text={code} label={label} />
      </div>
    </div>
  );
}
