/** A formatted range of a text, in UTF-16 units (https://core.telegram.org/bots/api#messageentity). */
export interface Entity {
  type: string;
  offset: number;
  length: number;
  url?: string;
  language?: string;
  custom_emoji_id?: string;
}

export interface FormattedText {
  text: string;
  entities: Entity[];
}

export type Formatter = ReturnType<typeof createFormatter>;

/** Returns a collector of text and of the entities in it. */
export function createFormatter() {
  let text = '';
  /** Its last character. Reading it from `text` would join the whole output each time. */
  let last = '';
  const entities: Entity[] = [];
  const open: Entity[] = [];
  return {
    write(more: string): void {
      text += more;
      last = more.at(-1) ?? last;
    },
    open(type: string, more: Partial<Entity> = {}): void {
      open.push({ type, offset: text.length, length: 0, ...more });
    },
    /** Returns the innermost open entity. */
    top: (): Entity | undefined => open.at(-1),
    isOpen: (type: string): boolean => open.some((entity) => entity.type === type),
    /** Closes the innermost open entity. An empty one is dropped. */
    close(more: Partial<Entity> = {}): void {
      const entity = open.pop();
      if (!entity) return;
      const length = text.length - entity.offset;
      if (length > 0) entities.push({ ...entity, ...more, length });
    },
    /** Reports whether the next character begins a line. */
    isAtLineStart: (): boolean => last === '' || last === '\n',
    /** Returns null while an entity is open. */
    result(): FormattedText | null {
      if (open.length > 0) return null;
      return { text, entities: entities.sort((a, b) => a.offset - b.offset || b.length - a.length) };
    },
  };
}

/**
 * Returns the pieces of a formatted text with their entities; an entity across a break is in both pieces.
 * @param entities ordered by offset
 * @param pieces joined, they are the text
 */
export function splitFormatted({ entities }: FormattedText, pieces: readonly string[]): FormattedText[] {
  let start = 0;
  let next = 0;
  /** The entities that overlap the current piece. */
  let overlapping: Entity[] = [];
  return pieces.map((text) => {
    const from = start;
    const to = from + text.length;
    start = to;
    overlapping = overlapping.filter(({ offset, length }) => offset + length > from);
    for (let entity = entities[next]; entity && entity.offset < to; entity = entities[next]) {
      overlapping.push(entity);
      next++;
    }
    return {
      text,
      entities: overlapping.map((entity) => {
        const begin = Math.max(entity.offset, from);
        const end = Math.min(entity.offset + entity.length, to);
        return { ...entity, offset: begin - from, length: end - begin };
      }),
    };
  });
}
