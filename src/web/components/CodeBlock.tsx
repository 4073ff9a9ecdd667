import { CopyButton } from './CopyButton.tsx';
import { ScrollableCode } from './ScrollableCode.tsx';

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
