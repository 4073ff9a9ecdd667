const MAX_RESPONSE_MS = 300;

/** Ensures that only one tab of the browser sends a stored upload. */
export interface TabClaims {
  /** Returns the uploads among `ids` that no other tab sends. */
  unclaimed(ids: readonly string[]): Promise<string[]>;
  close(): void;
}

/** @param own returns the uploads of this tab */
export function createTabClaims(own: () => readonly string[]): TabClaims {
  const channel = new BroadcastChannel('posthouse-uploads');
  const claimed = new Set<string>();
  channel.onmessage = ({ data }: MessageEvent<{ query: true } | { own: string[] }>) => {
    if ('query' in data) channel.postMessage({ own: own() });
    else for (const id of data.own) claimed.add(id);
  };
  return {
    async unclaimed(ids) {
      if (ids.length === 0) return [];
      claimed.clear();
      channel.postMessage({ query: true });
      await new Promise((resolve) => setTimeout(resolve, MAX_RESPONSE_MS));
      return ids.filter((id) => !claimed.has(id));
    },
    close: () => channel.close(),
  };
}
