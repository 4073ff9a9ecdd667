const LONGEST_ANSWER_MS = 300;

/** Tells the tabs of one browser apart: each upload is sent by one of them. */
export interface Tabs {
  /** The uploads among `ids` that no other tab is sending. */
  unclaimed(ids: readonly string[]): Promise<string[]>;
  close(): void;
}

/** @param mine the uploads of this tab */
export function createTabs(mine: () => readonly string[]): Tabs {
  const channel = new BroadcastChannel('posthouse-uploads');
  const claimed = new Set<string>();
  channel.onmessage = ({ data }: MessageEvent<{ ask: true } | { mine: string[] }>) => {
    if ('ask' in data) channel.postMessage({ mine: mine() });
    else for (const id of data.mine) claimed.add(id);
  };
  return {
    async unclaimed(ids) {
      if (ids.length === 0) return [];
      claimed.clear();
      channel.postMessage({ ask: true });
      await new Promise((resolve) => setTimeout(resolve, LONGEST_ANSWER_MS));
      return ids.filter((id) => !claimed.has(id));
    },
    close: () => channel.close(),
  };
}
