package io.siltstone.tools.verify;

import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.CorruptSSTableException.Kind;
import io.siltstone.tools.terminal.TableFile;

/** Says which command mends a damage that was found. */
final class Remedy {
  private static final String OTHER_COPIES =
      "restore the SSTable from a backup, or repair it from a replica; ";

  private Remedy() {}

  /** What to do about a damaged component, as a sentence of its own. */
  static String of(CorruptSSTableException damage, TableFile table) {
    String rebuild = "siltstone rebuild " + table.path();
    String scrub = "siltstone scrub " + directory(table);
    if (damage.component() != Component.DATA) {
      return rebuild + " makes " + damage.component().fileName() + " anew, if the rest is sound";
    }
    if (damage.kind() == Kind.MISSING) {
      return "without " + table.path() + " nothing is left: " + OTHER_COPIES.replace("; ", "");
    }
    if (damage.kind() == Kind.OUT_OF_ORDER) {
      // Rows out of order: the bytes are what was written.
      return scrub + " writes its rows in order, and loses none";
    }
    return rebuild
        + " tells whether only checksums are wrong, and mends them; if the data itself is: "
        + OTHER_COPIES
        + scrub
        + " saves what can be read";
  }

  /** What to do about files that are missing. */
  static String ofMissing(TableFile table) {
    return "siltstone rebuild " + table.path() + " makes them anew";
  }

  private static String directory(TableFile table) {
    return table.path().getParent() == null ? "." : table.path().getParent().toString();
  }
}
