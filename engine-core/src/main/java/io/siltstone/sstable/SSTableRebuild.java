package io.siltstone.sstable;

import io.siltstone.chunk.ChunkedFile;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.UnsupportedFileException;
import io.siltstone.io.WriteIntent;
import io.siltstone.maintenance.RebuildReport;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.big.BigIndexOpening;
import io.siltstone.sstable.big.IndexCursor;
import io.siltstone.sstable.big.IndexSummary;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.UnsupportedSSTableException;
import io.siltstone.sstable.metadata.Statistics;
import io.siltstone.sstable.metadata.StatisticsParts;
import io.siltstone.sstable.metadata.StatsMetadata;
import io.siltstone.sstable.metadata.ValidationMetadata;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Rebuilds the components of an SSTable that are missing or wrong from those that are intact.
 *
 * <pre>
 *   CompressionInfo.db   from the data: each chunk ends with its checksum
 *   CRC.db               from the data, if Digest.crc32 proves it
 *   Digest.crc32         from the data, if the checksums of its chunks prove it
 *   Filter.db            from the data
 *   Index.db             from the data; Partitions.db and Rows.db likewise
 *   Summary.db           from the index
 *   Statistics.db        its lost parts, from the data; its header see {@link HeaderSearch}
 *   TOC.txt              from the files that exist
 * </pre>
 *
 * <p>The data itself is never changed: if it is damaged, or its rows are out of order, the rebuild
 * is refused, and a scrub can save the rest. A result is committed only after {@link
 * SSTableVerifier} has verified the SSTable with it. New files get temporary names, are synced and
 * then renamed; those that they replace are {@linkplain SSTableQuarantine quarantined}.
 *
 * <p>No other process or thread may have the SSTable open for writing. Used by one thread.
 */
public final class SSTableRebuild {
  private static final int PLAIN_CHUNK_BYTES = RebuildState.PLAIN_CHUNK_BYTES;
  static final String REMEDY = "; rebuild cannot mend that, scrub saves what can be read";

  private final RebuildState state;
  // The components derived from the data, once one of them is needed; null before.
  private @Nullable Statistics derived;

  private SSTableRebuild(
      Directory directory, Descriptor descriptor, RebuildOptions options, MemoryBudget budget) {
    this.state = new RebuildState(directory, descriptor, options, budget);
  }

  /**
   * Rebuilds the components that are missing or wrong.
   *
   * @throws CorruptSSTableException if that is not possible, because the data is damaged or the
   *     result would not be certain; nothing has changed then
   * @throws NoSuchFileException if there is no such SSTable
   */
  public static RebuildReport run(
      Directory directory, Descriptor descriptor, RebuildOptions options, MemoryBudget budget)
      throws IOException {
    return new SSTableRebuild(directory, descriptor, options, budget).run();
  }

  /**
   * Rebuilds only the components that describe the chunks of the data file: {@code
   * CompressionInfo.db}, {@code CRC.db} and {@code Digest.crc32}; otherwise as {@link #run}. The
   * SSTable need not be one that can be opened.
   */
  public static RebuildReport runForChunks(
      Directory directory, Descriptor descriptor, RebuildOptions options, MemoryBudget budget)
      throws IOException {
    return new SSTableRebuild(directory, descriptor, options, budget).runForChunks();
  }

  /**
   * Returns the partitioner of an SSTable whose statistics may be damaged: according to their
   * intact parts, or else to the order of the keys of its index.
   */
  public static Partitioner partitionerOf(
      Directory directory, Descriptor descriptor, RebuildOptions options, MemoryBudget budget)
      throws IOException {
    return new SSTableRebuild(directory, descriptor, options, budget).state.partitioner();
  }

  private RebuildReport runForChunks() throws IOException {
    try {
      state.removeTemporary();
      new ChunkFileRebuild(state).run();
      if (!state.options().isDryRun()) {
        commit();
      }
      return state.report();
    } finally {
      state.removeTemporary();
    }
  }

  private RebuildReport run() throws IOException {
    if (!state.directory().exists(state.name(Component.DATA))) {
      throw new NoSuchFileException(state.path(Component.DATA));
    }
    try {
      state.removeTemporary();
      new ChunkFileRebuild(state).run();
      // The table of contents is checked last, because an SSTable can be opened without it.
      state.files().hide(state.name(Component.TOC));
      rebuildMissing();
      rebuildWrong();
      rebuildContents();
      if (!state.options().isDryRun()) {
        commit();
      }
      return state.report();
    } finally {
      state.removeTemporary();
    }
  }

  // The components that are derived from the data.

  private void rebuildMissing() throws IOException {
    if (!state.exists(Component.STATISTICS)) {
      rebuildStatistics("it was missing");
    }
    for (Component component : state.descriptor().version().indexComponents()) {
      if (!state.exists(component)) {
        rebuildIndex(component, "it was missing");
      }
    }
    if (!state.exists(Component.FILTER) && hasFilter()) {
      rebuildFilter("it was missing");
    }
  }

  private boolean hasFilter() throws IOException {
    ValidationMetadata validation = state.partsOfStatistics().validation();
    return validation == null
        ? state.options().settings().bloomFilterFpChance() < 1
        : validation.bloomFilterFpChance() < 1;
  }

  /**
   * Verifies the SSTable, and rebuilds the component that is wrong, until no component is wrong any
   * more.
   */
  private void rebuildWrong() throws IOException {
    while (true) {
      try (SSTable table =
          SSTable.open(state.files(), state.descriptor(), SSTableOptions.DEFAULT, state.budget())) {
        new SSTableVerifier(table).verifyContent(position -> {});
        return;
      } catch (CorruptSSTableException e) {
        rebuild(e);
      }
    }
  }

  private void rebuild(CorruptSSTableException fault) throws IOException {
    Component component = fault.component();
    if (state.isRebuilt(component)) {
      throw new CorruptSSTableException(
          fault.path(), component, fault.offset(), fault.reason() + REMEDY, fault);
    }
    switch (component) {
      case PRIMARY_INDEX, SUMMARY, PARTITIONS, ROWS -> rebuildIndex(component, fault.reason());
      case FILTER -> rebuildFilter(fault.reason());
      case STATISTICS -> rebuildStatistics(fault.reason());
      default ->
          throw new CorruptSSTableException(
              fault.path(), component, fault.offset(), fault.reason() + REMEDY, fault);
    }
  }

  /** Rebuilds a component of the index, and those that depend on it. */
  private void rebuildIndex(Component component, String reason) throws IOException {
    switch (component) {
      case SUMMARY -> rebuildSummary(reason);
      case PRIMARY_INDEX -> {
        derive();
        state.use(Component.PRIMARY_INDEX, reason);
        // The samples of the summary are positions in the former index.
        state.rebuilt().remove(Component.SUMMARY);
        state.files().hide(state.name(Component.SUMMARY));
        state.deleteIfThere(state.temporary(Component.SUMMARY));
        rebuildSummary("belongs to the index that was replaced");
      }
      default -> rebuildTries(component, reason);
    }
  }

  /** Rebuilds both files of a trie index, as one has positions in the other. */
  private void rebuildTries(Component component, String reason) throws IOException {
    derive();
    state.use(component, reason);
    Component other = component == Component.ROWS ? Component.PARTITIONS : Component.ROWS;
    if (!state.isRebuilt(other)) {
      state.use(other, "belongs to the " + component.fileName() + " that was replaced");
    }
  }

  private void rebuildFilter(String reason) throws IOException {
    derive();
    state.use(Component.FILTER, reason);
  }

  /**
   * Derives index, filter and statistics, with the header of the statistics or the one that is
   * found.
   */
  private Statistics derive() throws IOException {
    Statistics present = derived;
    if (present == null) {
      // The statistics may be damaged as well, and their header is needed to read the data.
      if (!state.isRebuilt(Component.STATISTICS)) {
        try {
          Statistics.read(
              state.files(), state.name(Component.STATISTICS), state.descriptor().version());
        } catch (CorruptSSTableException e) {
          rebuildStatistics(e.reason());
          return Objects.requireNonNull(derived);
        }
      }
      Statistics statistics =
          Statistics.read(
              state.files(), state.name(Component.STATISTICS), state.descriptor().version());
      present =
          derive(
              statistics.header(),
              Partitioner.ofClassName(statistics.validation().partitioner()),
              statistics.validation().bloomFilterFpChance());
    }
    return present;
  }

  private Statistics derive(SerializationHeader header, Partitioner partitioner, double chance)
      throws IOException {
    state.deleteIfThere(state.temporary(state.descriptor().version().keyComponent()));
    state.deleteIfThere(state.temporary(state.descriptor().version().blockComponent()));
    state.deleteIfThere(state.temporary(Component.FILTER));
    try (ChunkedFile data = state.openData(state.exists(Component.COMPRESSION_INFO))) {
      Statistics present =
          new DerivedComponents(data, header, state.descriptor(), partitioner, state.budget())
              .write(
                  state.directory(),
                  component -> component == Component.SUMMARY ? null : state.temporary(component),
                  state.options().settings().withBloomFilterFpChance(chance));
      derived = present;
      return present;
    }
  }

  private void rebuildSummary(String reason) throws IOException {
    try (ReadableFile index =
            state.files().open(state.name(Component.PRIMARY_INDEX), ReadIntent.SCAN);
        IndexCursor entries = IndexCursor.over(index, PLAIN_CHUNK_BYTES, true);
        IndexSummary summary =
            BigIndexOpening.summaryOf(
                entries,
                state.partitioner(),
                state.options().settings().minIndexInterval(),
                state.budget())) {
      summary.write(state.directory(), state.temporary(Component.SUMMARY), WriteIntent.OTHER);
    } catch (CorruptSSTableException e) {
      if (e.component() == Component.PRIMARY_INDEX && !state.isRebuilt(Component.PRIMARY_INDEX)) {
        rebuildIndex(Component.PRIMARY_INDEX, e.reason());
        return;
      }
      throw e;
    }
    state.use(Component.SUMMARY, reason);
  }

  private void rebuildStatistics(String reason) throws IOException {
    StatisticsParts parts = state.partsOfStatistics();
    StatisticsParts sound = parts;
    SerializationHeader header = parts.header();
    if (header == null) {
      try (ChunkedFile data = state.openData(state.exists(Component.COMPRESSION_INFO))) {
        header =
            new HeaderSearch(
                    data,
                    state.descriptor(),
                    state.path(Component.STATISTICS),
                    state.partitioner(),
                    parts.stats(),
                    state.options(),
                    siblings(),
                    state.budget())
                .find();
      }
      state.remark(
          state.path(Component.STATISTICS)
              + ": the header was found from "
              + (parts.stats() == null ? "the bases that were given" : "the stats")
              + " and the table's columns, and all rows can be read with it");
      if (parts.stats() == null) {
        state.remark(
            state.path(Component.STATISTICS)
                + ": The bases that were given cannot be checked. If they are not those of this"
                + " SSTable, all timestamps, deletion times and TTLs are shifted.");
      }
    }
    ValidationMetadata validation = parts.validation();
    double chance =
        validation == null
            ? state.options().settings().bloomFilterFpChance()
            : validation.bloomFilterFpChance();
    Statistics all = derive(header, state.partitioner(), chance);
    boolean isWhole =
        parts.validation() != null
            && parts.compaction() != null
            && parts.stats() != null
            && parts.header() != null;
    if (isWhole) {
      sound = withoutWrong(parts, all, reason);
    }
    if (sound.stats() == null && !isWhole) {
      state.remark(
          state.path(Component.STATISTICS)
              + ": level, state of repair and position in the commit log are lost; it counts as of"
              + " level 0, not repaired, and of no commit log");
    }
    new Statistics(
            sound.validation() == null ? all.validation() : sound.validation(),
            sound.compaction() == null ? all.compaction() : sound.compaction(),
            sound.stats() == null ? all.stats() : sound.stats(),
            header)
        .write(
            state.directory(),
            state.temporary(Component.STATISTICS),
            state.descriptor().version(),
            WriteIntent.OTHER);
    state.use(Component.STATISTICS, reason);
  }

  /**
   * Returns the statistics without a wrong stats component. All checksums match, but the figures
   * are wrong. They may be narrower than the data; but if they belong to another SSTable, so does
   * the header, and all times would be wrong.
   */
  private StatisticsParts withoutWrong(StatisticsParts parts, Statistics all, String reason)
      throws CorruptSSTableException {
    StatsMetadata told = Objects.requireNonNull(parts.stats());
    StatsMetadata seen = all.stats();
    boolean isOfThis =
        told.partitionSizes().count() == seen.partitionSizes().count()
            && told.totalRows() == seen.totalRows()
            && told.keyRange().isPresent() == seen.keyRange().isPresent()
            && (told.keyRange().isEmpty()
                || (Arrays.equals(told.keyRange().get().first(), seen.keyRange().get().first())
                    && Arrays.equals(told.keyRange().get().last(), seen.keyRange().get().last())));
    if (!isOfThis) {
      throw new CorruptSSTableException(
          state.path(Component.STATISTICS),
          Component.STATISTICS,
          CorruptFileException.WHOLE_FILE,
          reason
              + "; its checksums are right, so it is perhaps of another SSTable, and then the"
              + " bases of all times are too: restore it from a backup");
    }
    return new StatisticsParts(
        parts.validation(),
        parts.compaction(),
        seen.withLevel(told.level())
            .withRepair(told.repair())
            .withCommitLogIntervals(told.commitLogIntervals())
            .withCompressionRatio(told.compressionRatio())
            .withOriginatingHostId(told.originatingHostId()),
        parts.header());
  }

  /** Returns the readable headers of other SSTables of the directory. */
  private List<SerializationHeader> siblings() throws IOException {
    List<SerializationHeader> headers = new ArrayList<>();
    for (String file : state.directory().files()) {
      if (Descriptor.isComponent(file, Component.STATISTICS)
          && !file.equals(state.name(Component.STATISTICS))) {
        try {
          headers.add(
              Statistics.read(state.directory(), file, Descriptor.parse(file).version()).header());
        } catch (CorruptSSTableException
            | CorruptFileException
            | UnsupportedSSTableException
            | UnsupportedFileException
            | NoSuchFileException
            | IllegalArgumentException e) {
          // This SSTable cannot help. What the disk cannot read is no damage, and is thrown.
        }
      }
    }
    return headers;
  }

  // The table of contents and the commit.

  /** Compares the names in the table of contents with the existing files. */
  private void rebuildContents() throws IOException {
    String prefix = state.name(Component.DATA);
    prefix = prefix.substring(0, prefix.length() - Component.DATA.fileName().length());
    Set<String> there = new TreeSet<>();
    for (String file : state.directory().files()) {
      if (file.startsWith(prefix) && !file.endsWith(Descriptor.TEMPORARY_SUFFIX)) {
        there.add(file.substring(prefix.length()));
      }
    }
    state.rebuilt().forEach(component -> there.add(component.fileName()));
    there.add(Component.TOC.fileName());
    boolean isThere = state.directory().exists(state.name(Component.TOC));
    Set<String> named = state.namesInContents();
    if (isThere && named.equals(there)) {
      return;
    }
    Set<String> missing = new TreeSet<>(there);
    missing.removeAll(named);
    Set<String> surplus = new TreeSet<>(named);
    surplus.removeAll(there);
    if (isThere && missing.isEmpty() && surplus.stream().allMatch(Component::isOfIndex)) {
      // The table of contents names files of indexes that other software has written, or lacks
      // them.
      return;
    }
    StringBuilder text = new StringBuilder();
    there.forEach(each -> text.append(each).append('\n'));
    SSTableFiles.writeText(
        state.directory(), state.temporary(Component.TOC), text.toString(), WriteIntent.OTHER);
    state.use(Component.TOC, isThere ? contentsReason(missing, surplus) : "it was missing");
  }

  private static String contentsReason(Set<String> missing, Set<String> surplus) {
    String lacks = "it did not name " + String.join(", ", missing);
    String names = "it named files that do not exist: " + String.join(", ", surplus);
    return missing.isEmpty() ? names : surplus.isEmpty() ? lacks : lacks + "; " + names;
  }

  /** Gives the new files their final names, after the files that they replace are quarantined. */
  private void commit() throws IOException {
    if (state.rebuilt().isEmpty()) {
      return;
    }
    List<String> replaced = new ArrayList<>();
    for (Component component : state.rebuilt()) {
      if (state.directory().exists(state.name(component))) {
        replaced.add(state.name(component));
      }
    }
    SSTableQuarantine quarantine = new SSTableQuarantine(state.directory());
    try {
      quarantine.add(replaced);
    } catch (Throwable e) {
      quarantine.undo(e);
      throw e;
    }
    for (Component component : state.rebuilt()) {
      state.directory().rename(state.temporary(component), state.name(component));
    }
    state.directory().sync();
  }
}
