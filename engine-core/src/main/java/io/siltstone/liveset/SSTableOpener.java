package io.siltstone.liveset;

import io.siltstone.io.Directory;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;

/** Opens an SSTable as the engine wants to read it: with its caches, budget and options. */
@FunctionalInterface
public interface SSTableOpener {
  /** As {@link SSTable#open}; the caller closes it. */
  SSTable open(Directory directory, Descriptor descriptor) throws IOException;
}
