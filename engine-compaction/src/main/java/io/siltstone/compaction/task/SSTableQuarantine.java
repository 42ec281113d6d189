package io.siltstone.compaction.task;

import io.siltstone.io.Directory;
import io.siltstone.spi.Claim;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.format.Component;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps the files of SSTables that are about to go: they get second names in the directory {@value
 * Claim#SET_ASIDE} of the table's own. Confined to one thread.
 */
final class SSTableQuarantine {
  private record Link(Directory directory, String name) {}

  private final List<Link> links = new ArrayList<>();

  /** Links the files of a table, durably. */
  void keep(SSTable table) throws IOException {
    Directory from = table.directory();
    Directory to = from.directory(Claim.SET_ASIDE);
    from.sync();
    for (Component component : table.components()) {
      String name = table.descriptor().fileName(component);
      try {
        from.link(name, to, name);
      } catch (FileAlreadyExistsException e) {
        // Of an attempt that came to nothing: no other SSTable has had this generation.
        to.delete(name);
        from.link(name, to, name);
      }
      links.add(new Link(to, name));
    }
    to.sync();
  }

  /** Takes the names away again, since the SSTables stay. */
  void undo(Throwable failure) {
    for (Link link : links) {
      try {
        link.directory().delete(link.name());
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
    }
    links.clear();
  }
}
