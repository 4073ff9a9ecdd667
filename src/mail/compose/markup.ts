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

/** Collects text and the entities over it. */
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
    endsLine: (): boolean => last === '' || last === '\n',
    /** Returns null while an entity is open. */
    result(): FormattedText | null {
      if (open.length > 0) return null;
      return { text, entities: entities.sort((a, b) => a.offset - b.offset || b.length - a.length) };
    },
  };
}

/**
 * Divides a formatted text into `pieces`, whose concatenation it is; each gets its share of the entities, which are
 * ordered by their offsets.
 */
export function splitFormatted({ entities }: FormattedText, pieces: readonly string[]): FormattedText[] {
  let start = 0;
  let next = 0;
  /** The entities that begin before the end of the current piece and end after its beginning. */
  let reaching: Entity[] = [];
  return pieces.map((text) => {
    const from = start;
    const to = from + text.length;
    start = to;
    reaching = reaching.filter(({ offset, length }) => offset + length > from);
    for (let entity = entities[next]; entity && entity.offset < to; entity = entities[next]) {
      reaching.push(entity);
      next++;
    }
    return {
      text,
      entities: reaching.map((entity) => {
        const begin = Math.max(entity.offset, from);
        const end = Math.min(entity.offset + entity.length, to);
        return { ...entity, offset: begin - from, length: end - begin };
      }),
    };
  });
}
