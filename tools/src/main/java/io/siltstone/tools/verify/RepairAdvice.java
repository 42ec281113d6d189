package io.siltstone.tools.verify;

import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.CorruptSSTableException.Kind;
import io.siltstone.tools.terminal.SSTableFile;

/** Names the command that repairs a damage. */
final class RepairAdvice {
  private static final String OTHER_COPIES =
      "restore the SSTable from a backup, or repair it from a replica; ";

  private RepairAdvice() {}

  /** Returns what to do about a damaged component, as a sentence. */
  static String of(CorruptSSTableException damage, SSTableFile table) {
    String rebuild = "siltstone rebuild " + table.path();
    String scrub = "siltstone scrub " + directory(table);
    if (damage.component() != Component.DATA) {
      return rebuild + " makes " + damage.component().fileName() + " anew if the rest is intact";
    }
    if (damage.kind() == Kind.MISSING) {
      return "without " + table.path() + " nothing is left: " + OTHER_COPIES.replace("; ", "");
    }
    if (damage.kind() == Kind.OUT_OF_ORDER) {
      // The bytes are those that were written.
      return scrub + " writes the rows in order, and loses none";
    }
    return rebuild
        + " finds out whether only checksums are wrong, and rebuilds them; if the data"
        + " itself is damaged: "
        + OTHER_COPIES
        + scrub
        + " saves what can be read";
  }

  /** Returns what to do about missing files. */
  static String ofMissing(SSTableFile table) {
    return "siltstone rebuild " + table.path() + " rebuilds them";
  }

  private static String directory(SSTableFile table) {
    return table.path().getParent() == null ? "." : table.path().getParent().toString();
  }
}
