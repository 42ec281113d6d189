package io.siltstone.tools.terminal;

import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.CorruptSSTableException.Kind;
import java.nio.file.Path;

/** Names the command that repairs a damaged SSTable, such as {@code siltstone rebuild}. */
public final class RepairAdvice {
  private static final String OTHER_COPIES =
      "restore the SSTable from a backup, or repair it from a replica";

  private RepairAdvice() {}

  /**
   * Returns what to do about a damaged component, as a sentence.
   *
   * @param data the data file of the SSTable
   */
  public static String of(CorruptSSTableException damage, Path data) {
    String rebuild = "siltstone rebuild " + data;
    if (damage.component() != Component.DATA) {
      return rebuild + " makes " + damage.component().fileName() + " anew if the rest is intact";
    }
    if (damage.kind() == Kind.MISSING) {
      return "without " + data + " nothing is left: " + OTHER_COPIES;
    }
    String scrub = "siltstone scrub " + DatabaseDirectory.argumentsFor(data);
    if (damage.kind() == Kind.OUT_OF_ORDER) {
      // The bytes are those that were written.
      return scrub + " writes the rows in order, and loses none";
    }
    return rebuild
        + " finds out whether only checksums are wrong, and rebuilds them; if the data"
        + " itself is damaged: "
        + OTHER_COPIES
        + "; "
        + scrub
        + " saves what can be read";
  }

  /**
   * Returns the rest of a message about a component that keeps a command from opening an SSTable
   * whose data may be intact: what to do about it. Returns an empty text for other failures.
   */
  static String after(Throwable failure) {
    if (!(failure instanceof CorruptSSTableException damage)
        || damage.component() == Component.DATA) {
      return "";
    }
    Path path = Path.of(damage.path());
    String name = String.valueOf(path.getFileName());
    String suffix = damage.component().fileName();
    if (!name.endsWith(suffix)) {
      return "";
    }
    String prefix = name.substring(0, name.length() - suffix.length());
    return "; " + of(damage, path.resolveSibling(prefix + Component.DATA.fileName()));
  }

  /** Returns what to do about missing files. */
  public static String ofMissing(Path data) {
    return "siltstone rebuild " + data + " rebuilds them";
  }
}
