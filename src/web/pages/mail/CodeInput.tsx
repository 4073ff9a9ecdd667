import { Textarea, type TextareaProps } from '@mantine/core';
import { useRef } from 'react';
import { tokensOf } from './code-tokens.ts';
import './CodeInput.css';

/** Longer sources are shown without colors. */
const MAX_COLORED = 50_000;

/** A field for source code: a transparent text field over the same text in colors. */
export function CodeInput({ value, ...props }: Omit<TextareaProps, 'value'> & { value: string }) {
  const colored = useRef<HTMLPreElement>(null);
  const isColored = value.length <= MAX_COLORED;
  return (
    <Textarea
      {...props}
      value={value}
      autosize
      minRows={18}
      maxRows={32}
      spellCheck={false}
      classNames={{ input: isColored ? 'code-input code-over' : 'code-input' }}
      onScroll={({ currentTarget }) => {
        if (colored.current) colored.current.scrollTop = currentTarget.scrollTop;
      }}
      inputContainer={(input) => (
        <div className="code-stack">
          {isColored && (
            <pre ref={colored} className="code-input code-under" aria-hidden>
              {tokensOf(value).map(({ kind, text }, index) =>
                kind === 'text' ? (
                  text
                ) : (
                  <span key={index} className={`code-${kind}`}>
                    {text}
                  </span>
                ),
              )}
              {/* Shows an empty last line. */}
              {'\n'}
            </pre>
          )}
          {input}
        </div>
      )}
    />
  );
}
