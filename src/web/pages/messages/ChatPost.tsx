export interface Embed {
  title?: string;
  description?: string;
  url?: string;
  color?: number;
  fields?: { name: string; value: string; inline?: boolean }[];
  footer?: { text: string };
}

/** A post, similar to its look on the platform, with unrendered markup. */
export function ChatPost({ embeds }: { embeds: readonly Embed[] }) {
  return embeds.map((embed, index) => (
    <div key={index} className="chat-post" style={{ borderLeftColor: colorOf(embed.color) }}>
      {embed.title && <strong>{embed.title}</strong>}
      {embed.url && <span className="faint address">{embed.url}</span>}
      {embed.description && <div>{embed.description}</div>}
      {embed.fields && embed.fields.length > 0 && (
        <dl className="chat-fields">
          {embed.fields.map(({ name, value, inline }, position) => (
            <div key={position} data-inline={inline || undefined}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {embed.footer && <span className="faint">{embed.footer.text}</span>}
    </div>
  ));
}

const colorOf = (color: number | undefined) =>
  color === undefined ? 'var(--line)' : `#${color.toString(16).padStart(6, '0')}`;
