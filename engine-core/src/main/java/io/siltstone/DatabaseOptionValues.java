package io.siltstone;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.compress.FlushCompression;
import io.siltstone.event.EngineListener;
import io.siltstone.io.EncryptedDirectory;
import io.siltstone.io.NioOptions;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.SSTableWriterOptions;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.text.OptionsText;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * The value of each option of a database, with its default. A builder changes it, options do not.
 */
final class DatabaseOptionValues implements Cloneable {
  private static final long GIB = 1L << 30;

  boolean isReadOnly;
  boolean createIfMissing = true;
  @Nullable Partitioner partitioner;
  FormatVersion formatVersion = FormatVersion.OA;
  NioOptions files = NioOptions.DEFAULT;
  EncryptedDirectory.@Nullable Keys encryptionKeys;
  ResourceOptions resources = ResourceOptions.DEFAULT;
  long softCompactionDebtBytes = 64 * GIB;
  long hardCompactionDebtBytes = 256 * GIB;
  FlushCompression flushCompression = FlushCompression.TABLE;
  int columnIndexSizeBytes = SSTableWriterOptions.DEFAULT_COLUMN_INDEX_SIZE_BYTES;
  boolean isLenient;
  CommitLogOptions commitLog = CommitLogOptions.builder().build();
  // Null for the default, which depends on the shared resources.
  @Nullable Compaction compaction;
  EngineListener listener = EngineListener.NONE;
  Duration slowReadThreshold = Duration.ofMillis(500);
  InstantSource clock = InstantSource.system();

  DatabaseOptionValues copy() {
    try {
      return (DatabaseOptionValues) super.clone();
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns the options that differ from the defaults, in one line. Keys are not shown. */
  @Override
  public String toString() {
    DatabaseOptionValues defaults = new DatabaseOptionValues();
    OptionsText text =
        new OptionsText(DatabaseOptions.class)
            .add("readOnly", isReadOnly, defaults.isReadOnly)
            .add("createIfMissing", createIfMissing, defaults.createIfMissing)
            .add("partitioner", partitioner, defaults.partitioner)
            .add("formatVersion", formatVersion, defaults.formatVersion)
            .add("files", files, defaults.files)
            .addClass("encryptionKeys", encryptionKeys, defaults.encryptionKeys);
    resources.addTo(text);
    return text.add(
            "softCompactionDebtBytes", softCompactionDebtBytes, defaults.softCompactionDebtBytes)
        .add("hardCompactionDebtBytes", hardCompactionDebtBytes, defaults.hardCompactionDebtBytes)
        .add("flushCompression", flushCompression, defaults.flushCompression)
        .add("columnIndexSizeBytes", columnIndexSizeBytes, defaults.columnIndexSizeBytes)
        .add("lenient", isLenient, defaults.isLenient)
        .add("commitLog", commitLog.toString(), defaults.commitLog.toString())
        .addClass("compaction", compaction, defaults.compaction)
        .addClass("listener", listener, defaults.listener)
        .add("slowReadThreshold", slowReadThreshold, defaults.slowReadThreshold)
        .addClass("clock", clock, defaults.clock)
        .toString();
  }
}
