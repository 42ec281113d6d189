package io.siltstone.sstable;

import io.siltstone.cursor.SerializationHeader;
import io.siltstone.io.Directory;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.big.BigIndexOutput;
import io.siltstone.sstable.big.IndexSummary;
import io.siltstone.sstable.big.IndexWriter;
import io.siltstone.sstable.bti.PartitionTrieWriter;
import io.siltstone.sstable.bti.RowTrieWriter;
import io.siltstone.sstable.bti.TrieIndexOutput;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.index.IndexOutput;
import io.siltstone.threads.Closeables;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Creates the files of an index that is to be written, in the format of a version.
 *
 * @param header of the rows
 * @param names returns the names of components, which must be free; null for a summary that is not
 *     to be written
 * @param wrapper wraps a file that was created, and takes it over
 */
record IndexFactory(
    Directory directory,
    FormatVersion version,
    SerializationHeader header,
    Partitioner partitioner,
    MemoryBudget budget,
    Function<Component, @Nullable String> names,
    UnaryOperator<WritableFile> wrapper) {

  /**
   * The sizes of the parts of an index.
   *
   * @param blockBytes size of an index block ({@code column_index_size})
   * @param chunkLength of the data file, a power of two; 0 if it has no chunks
   * @param summaryInterval number of keys per sample of a summary
   */
  record Sizes(int blockBytes, int chunkLength, int summaryInterval) {}

  /** Creates the files, or throws and leaves none that it has created. The caller closes them. */
  IndexOutput create(Sizes sizes, WriteIntent intent) throws IOException {
    return version.hasTrieIndex() ? trie(sizes, intent) : big(sizes, intent);
  }

  private IndexOutput big(Sizes sizes, WriteIntent intent) throws IOException {
    IndexWriter index = null;
    try {
      index =
          new IndexWriter(
              directory,
              required(Component.PRIMARY_INDEX),
              version,
              sizes.blockBytes,
              sizes.chunkLength,
              intent,
              wrapper);
      return new BigIndexOutput(
          index,
          new IndexSummary.Builder(sizes.summaryInterval, budget),
          directory,
          names.apply(Component.SUMMARY),
          intent);
    } catch (Throwable e) {
      discard(index, index != null, Component.PRIMARY_INDEX, e);
      throw e;
    }
  }

  private IndexOutput trie(Sizes sizes, WriteIntent intent) throws IOException {
    PartitionTrieWriter partitions = null;
    RowTrieWriter rows = null;
    try {
      partitions =
          new PartitionTrieWriter(
              wrapper.apply(directory.create(required(Component.PARTITIONS), intent)), partitioner);
      rows =
          new RowTrieWriter(
              wrapper.apply(directory.create(required(Component.ROWS), intent)),
              header.clusteringTypes(),
              sizes.blockBytes);
      return new TrieIndexOutput(partitions, rows);
    } catch (Throwable e) {
      if (partitions != null) {
        discard(rows, rows != null, Component.ROWS, e);
      }
      discard(partitions, partitions != null, Component.PARTITIONS, e);
      throw e;
    }
  }

  /** Removes a file after a failure, unless it belongs to another writer. */
  private void discard(
      @Nullable AutoCloseable open, boolean isOwn, Component component, Throwable failure) {
    if (open != null) {
      Closeables.closeAfter(open, failure);
    }
    if (!isOwn && failure instanceof FileAlreadyExistsException) {
      return;
    }
    try {
      if (directory.exists(required(component))) {
        directory.delete(required(component));
      }
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private String required(Component component) {
    String name = names.apply(component);
    if (name == null) {
      throw new IllegalArgumentException("no name for " + component.fileName());
    }
    return name;
  }
}
