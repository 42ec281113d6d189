package io.siltstone.sstable;

import io.siltstone.chunk.ChunkSource;
import io.siltstone.chunk.ChunkWriter;
import io.siltstone.chunk.SequentialAccess;
import io.siltstone.io.Directory;
import io.siltstone.io.OutputVerificationException;
import io.siltstone.io.WriteIntent;
import io.siltstone.maintenance.OutputVerification;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.metadata.StatsMetadata;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.zip.CRC32;

/**
 * Copies an SSTable with another compression. The uncompressed bytes are copied without parsing
 * rows; index, filter and summary only have positions in the uncompressed data, and are linked as
 * they are. The copy has the version of the SSTable.
 *
 * <p>As with a {@linkplain SSTableWriter#createPart part}, {@link #copy} comes first, then {@link
 * #finish()} and {@link #publish()}; {@link #close()} without {@link #publish()} removes the
 * written files. Confined to one thread.
 */
public final class SSTableRewriter implements Closeable {
  private static final int COPY_BYTES = 64 * 1024;

  private final SSTable source;
  private final Directory directory;
  private final Descriptor descriptor;
  private final SSTableWriterOptions options;
  private final OutputFiles files;
  private final MemoryBudget budget;
  private final Set<Component> components;
  private final ChunkWriter chunks;
  private final CRC32 read = new CRC32();
  private final CRC32 written = new CRC32();
  private long onDiskLength;
  private boolean finished;
  private boolean published;
  private boolean closed;

  private SSTableRewriter(
      SSTable source, Descriptor descriptor, SSTableWriterOptions options, MemoryBudget budget)
      throws IOException {
    this.source = source;
    this.directory = source.directory();
    this.descriptor = descriptor;
    this.options = options;
    this.budget = budget;
    boolean isCompressed = options.compression().isEnabled();
    this.components = EnumSet.copyOf(source.components());
    components.add(Component.DIGEST);
    components.add(Component.TOC);
    components.add(isCompressed ? Component.COMPRESSION_INFO : Component.CRC);
    components.remove(isCompressed ? Component.CRC : Component.COMPRESSION_INFO);
    this.files = new OutputFiles(directory, descriptor, components);
    try {
      this.chunks =
          ChunkWriter.create(
              directory,
              files.temporary(Component.DATA),
              files.temporary(isCompressed ? Component.COMPRESSION_INFO : Component.CRC),
              options.compressionOf(descriptor.version()),
              budget,
              options.intent(),
              options.executors(),
              (bytes, length) -> written.update(bytes, 0, length));
    } catch (Throwable e) {
      // An existing file belongs to another writer.
      if (!(e instanceof FileAlreadyExistsException)) {
        files.removeAfterFailure(e, Component.DATA);
      }
      throw e;
    }
  }

  /**
   * Creates a copy without data.
   *
   * @param source open until the copy is finished
   * @param id generation or identifier in the names of the copy's files, which must not exist
   * @param options only compression, level, intent and executors are used
   * @throws IllegalArgumentException if the table's version is one that is only read
   */
  public static SSTableRewriter create(
      SSTable source, String id, SSTableWriterOptions options, MemoryBudget budget)
      throws IOException {
    Descriptor descriptor = new Descriptor(source.descriptor().version(), id);
    if (!descriptor.version().isWritable()) {
      throw new IllegalArgumentException(
          source + ": tables of version " + descriptor.version().text() + " are read, not written");
    }
    if (source.directory().exists(descriptor.fileName(Component.DATA))) {
      throw new FileAlreadyExistsException(
          source.directory().path() + "/" + descriptor.fileName(Component.DATA));
    }
    return new SSTableRewriter(source, descriptor, options, budget);
  }

  /**
   * Copies the data.
   *
   * @param copied receives the number of uncompressed bytes; an exception of it ends the copy
   */
  public void copy(SequentialAccess access, LongConsumer copied) throws IOException {
    byte[] buffer = new byte[COPY_BYTES];
    try (ChunkSource in = source.openData(access)) {
      long length = source.dataLength();
      for (long position = 0; position < length; ) {
        int count = in.read(position, buffer, 0, (int) Math.min(buffer.length, length - position));
        if (count <= 0) {
          throw source.dataCorrupt(position, "the data ends here, not at " + length);
        }
        read.update(buffer, 0, count);
        chunks.write(buffer, 0, count);
        position += count;
        copied.accept(count);
      }
    }
  }

  /** Returns the version and generation with which the names of its files begin. */
  public Descriptor descriptor() {
    return descriptor;
  }

  /** Returns the length of the data file so far. */
  public long onDiskLength() {
    return finished ? onDiskLength : chunks.onDiskPosition();
  }

  /**
   * Makes the content of all files durable under their temporary names. A second call does nothing.
   *
   * @throws IllegalStateException if not all of the data was copied
   */
  public void finish() throws IOException {
    if (finished) {
      return;
    }
    if (closed || chunks.position() != source.dataLength()) {
      throw new IllegalStateException(
          this + ": " + chunks.position() + " of " + source.dataLength() + " bytes were copied");
    }
    chunks.finish();
    if (read.getValue() != written.getValue()) {
      throw new OutputVerificationException(
          directory.path() + "/" + files.temporary(Component.DATA),
          OutputVerificationException.WHOLE_FILE,
          "uncompressed content with checksum " + written.getValue(),
          read.getValue() + ", as of " + source);
    }
    onDiskLength = chunks.onDiskPosition();
    WriteIntent intent = options.intent();
    double ratio =
        options.compression().isEnabled()
            ? chunks.compressionRatio()
            : StatsMetadata.NO_COMPRESSION_RATIO;
    source
        .statistics()
        .withStats(
            source.statistics().stats().withCompressionRatio(ratio).withLevel(options.level()))
        .write(directory, files.temporary(Component.STATISTICS), descriptor.version(), intent);
    SSTableFiles.writeText(
        directory, files.temporary(Component.DIGEST), Long.toString(chunks.digest()), intent);
    SSTableFiles.writeText(
        directory, files.temporary(Component.TOC), files.tableOfContents(), intent);
    Set<Component> linked = EnumSet.of(Component.FILTER);
    linked.addAll(descriptor.version().indexComponents());
    for (Component component : linked) {
      if (components.contains(component)) {
        // The source may have been copied here by hand, and is deleted when the copy is committed.
        directory.linkSynced(
            source.descriptor().fileName(component), directory, files.temporary(component));
      }
    }
    chunks.close();
    finished = true;
    if (options.outputVerification() == OutputVerification.FULL) {
      ReadBack.verify(directory, descriptor, files, budget);
    }
  }

  /** Publishes the copy as {@link SSTableWriter#publish()} does. */
  public void publish() throws IOException {
    if (!finished || published || closed) {
      throw new IllegalStateException(this + " is not finished, or is published or closed");
    }
    files.renameAllButData();
    files.renameData();
    published = true;
  }

  /** Returns the full path of the data file. */
  @Override
  public String toString() {
    return directory.path() + "/" + descriptor.fileName(Component.DATA);
  }

  /** Closes the files and frees the memory; deletes the files unless they were published. */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      if (!finished) {
        chunks.close();
      }
    } finally {
      if (!published) {
        files.remove();
      }
    }
  }
}
