package io.siltstone.liveset;

import io.siltstone.io.Directory;
import io.siltstone.sstable.KnownFiles;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;

/** Opens SSTables with the caches, budget and options of the engine. */
@FunctionalInterface
public interface SSTableOpener {
  /** Opens an SSTable as {@link SSTable#open}; the caller closes it. */
  SSTable open(Directory directory, Descriptor descriptor) throws IOException;

  /** Opens an SSTable as {@link SSTable#openUnchanged}; the caller closes it. */
  default SSTable openUnchanged(Directory directory, Descriptor descriptor, KnownFiles files)
      throws IOException {
    return open(directory, descriptor);
  }
}
