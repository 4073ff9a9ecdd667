declare module '../../kernel/database/database.ts' {
  interface Tables {
    search_blocks: SearchBlocksTable;
    search_files: SearchFilesTable;
    search_parts: SearchPartsTable;
    search_changes: SearchChangesTable;
  }
}

/** Files in the order of their ids, in groups, for the search. */
export interface SearchBlocksTable {
  block: number;
  /** The block has the files up to this id that are in no earlier block. */
  last_id: string;
}

/** The files of the blocks. */
export interface SearchFilesTable {
  /** Combines the number of a block and of a group of its files: `chunkOf`. */
  chunk: number;
  /** In ascending order, without separators. */
  file_ids: string;
}

/** The files of a block that have a part: `partsOf`. */
export interface SearchPartsTable {
  part: string;
  block: number;
  /** Indexes of the files in the block: `encodeMembers`. */
  members: Uint8Array;
}

/** Files of blocks whose parts may have changed since the block was written. */
export interface SearchChangesTable {
  file_id: string;
}
