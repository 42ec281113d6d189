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
 * Quarantines the files of damaged SSTables before they are deleted: links them into the directory
 * {@value Claim#SET_ASIDE} of the table. Confined to one thread.
 */
final class SSTableQuarantine {
  private record Link(Directory directory, String name) {}

  private final List<Link> links = new ArrayList<>();

  /** Links the files of an SSTable, durably. */
  void quarantine(SSTable table) throws IOException {
    Directory from = table.directory();
    Directory to = from.directory(Claim.SET_ASIDE);
    from.sync();
    for (Component component : table.components()) {
      String name = table.descriptor().fileName(component);
      try {
        from.link(name, to, name);
      } catch (FileAlreadyExistsException e) {
        // A failed attempt left this link: no other SSTable has had this generation.
        to.delete(name);
        from.link(name, to, name);
      }
      links.add(new Link(to, name));
    }
    to.sync();
  }

  /** Removes the links again, as the SSTables stay live. */
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
