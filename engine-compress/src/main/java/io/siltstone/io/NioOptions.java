package io.siltstone.io;

import io.siltstone.text.OptionsText;
import java.util.Objects;

/**
 * The way in which {@link NioDirectory} accesses files of each purpose. Immutable.
 *
 * @param diskAccessMode which files are mapped
 * @param directReads whether files opened for {@link ReadIntent#COMPACTION} bypass the page cache
 * @param directWrites whether files created for {@link WriteIntent#COMPACTION} bypass the page
 *     cache
 */
public record NioOptions(DiskAccessMode diskAccessMode, boolean directReads, boolean directWrites) {
  /** Maps index files; all other files are read through the page cache. */
  public static final NioOptions DEFAULT =
      new NioOptions(DiskAccessMode.MMAP_INDEX_ONLY, false, false);

  /** Rejects null. */
  public NioOptions {
    Objects.requireNonNull(diskAccessMode, "diskAccessMode");
  }

  /** Returns a copy with another access mode. */
  public NioOptions withDiskAccessMode(DiskAccessMode mode) {
    return new NioOptions(mode, directReads, directWrites);
  }

  /** Returns a copy with or without direct I/O for compaction. */
  public NioOptions withDirectIo(boolean reads, boolean writes) {
    return new NioOptions(diskAccessMode, reads, writes);
  }

  /** Returns the options that differ from the defaults, in one line. */
  @Override
  public String toString() {
    return new OptionsText(NioOptions.class)
        .add("diskAccessMode", diskAccessMode, DEFAULT.diskAccessMode)
        .add("directReads", directReads, DEFAULT.directReads)
        .add("directWrites", directWrites, DEFAULT.directWrites)
        .toString();
  }

  boolean maps(ReadIntent intent) {
    return switch (diskAccessMode) {
      case STANDARD -> false;
      case MMAP -> intent == ReadIntent.INDEX || intent == ReadIntent.POINT_READ;
      case MMAP_INDEX_ONLY -> intent == ReadIntent.INDEX;
    };
  }
}
