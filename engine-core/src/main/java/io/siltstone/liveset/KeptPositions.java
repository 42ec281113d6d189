package io.siltstone.liveset;

import io.siltstone.io.Directory;
import java.io.IOException;
import java.util.List;

/**
 * Up to where commit logs have been in SSTables of a live set that have gone since, as its file
 * tells. Guarded by the live set's lock.
 */
final class KeptPositions {
  private final Directory directory;
  private FlushedPositions kept;

  KeptPositions(Directory directory, FlushedPositions kept) {
    this.directory = directory;
    this.kept = kept;
  }

  /** What is kept, and what these SSTables tell of. */
  FlushedPositions and(List<CountedSSTable> live) {
    return kept.and(FlushedPositions.of(live));
  }

  /** Before SSTables go that tell of later positions than those which remain. */
  void keep(List<CountedSSTable> going, List<CountedSSTable> remaining) throws IOException {
    if (going.isEmpty()) {
      return;
    }
    FlushedPositions positions = FlushedPositions.of(going);
    FlushedPositions told = and(remaining);
    if (!told.and(positions).equals(told)) {
      keep(positions);
    }
  }

  /** Keeps positions durably. After a failure it is as before. */
  void keep(FlushedPositions positions) throws IOException {
    FlushedPositions all = kept.and(positions);
    all.write(directory);
    kept = all;
  }
}
