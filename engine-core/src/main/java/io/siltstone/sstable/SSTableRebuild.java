package io.siltstone.sstable;

import io.siltstone.chunk.ChunkRepair;
import io.siltstone.chunk.ChunkSource;
import io.siltstone.chunk.ChunkedFile;
import io.siltstone.chunk.SequentialAccess;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.maintenance.RebuildReport;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.big.IndexCursor;
import io.siltstone.sstable.big.IndexSummary;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.metadata.Statistics;
import io.siltstone.sstable.metadata.StatisticsParts;
import io.siltstone.sstable.metadata.StatsMetadata;
import io.siltstone.sstable.metadata.ValidationMetadata;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Writes the components of an SSTable anew that are missing or wrong, from those that are sound.
 *
 * <pre>
 *   CompressionInfo.db   from the data: each chunk ends with its checksum
 *   CRC.db               from the data, if Digest.crc32 proves it
 *   Digest.crc32         from the data, if the checksums of its chunks prove it
 *   Index.db, Filter.db  from the data
 *   Summary.db           from the index
 *   Statistics.db        what of it is lost, from the data; its header see {@link HeaderSearch}
 *   TOC.txt              from what is there
 * </pre>
 *
 * <p>The data itself is never changed: if it is damaged, or its rows are out of order, the rebuild
 * is refused, and a scrub is what saves the rest. A result is committed only after {@link
 * SSTableVerifier} has found the SSTable sound with it. New files get temporary names, are synced
 * and then renamed; those that they replace are kept in the directory {@value #SET_ASIDE}.
 *
 * <p>Nobody else may have the SSTable open for writing. Used by one thread.
 */
public final class SSTableRebuild {
  /** The directory, below that of the table, where replaced and damaged files are kept. */
  public static final String SET_ASIDE = "set-aside";

  private static final int PLAIN_CHUNK_BYTES = 64 * 1024;
  private static final int MOST_PLAIN_CHUNK_BYTES = 1 << 24;
  private static final List<Partitioner> PARTITIONERS =
      List.of(Partitioner.MURMUR3, Partitioner.BYTE_ORDERED);
  private static final String REMEDY = "; rebuild cannot mend that, scrub saves what can be read";

  private final Directory directory;
  private final Descriptor descriptor;
  private final RebuildOptions options;
  private final MemoryBudget budget;
  private final OverlaidDirectory files;
  private final Map<Component, String> rebuilt = new EnumMap<>(Component.class);
  private final List<RebuildReport.Rebuilt> found = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();
  // Derived from the data once, when first something of it is needed; null before.
  private @Nullable Statistics derived;

  private SSTableRebuild(
      Directory directory, Descriptor descriptor, RebuildOptions options, MemoryBudget budget) {
    this.directory = directory;
    this.descriptor = descriptor;
    this.options = options;
    this.budget = budget;
    this.files = new OverlaidDirectory(directory);
  }

  /**
   * Finds what is missing or wrong, and writes it anew.
   *
   * @throws CorruptSSTableException if that is not possible, as the data is damaged or something is
   *     not certain; nothing has changed then
   * @throws NoSuchFileException if there is no such SSTable
   */
  public static RebuildReport run(
      Directory directory, Descriptor descriptor, RebuildOptions options, MemoryBudget budget)
      throws IOException {
    return new SSTableRebuild(directory, descriptor, options, budget).run();
  }

  /**
   * As {@link #run}, but only what describes the chunks of the data file is looked at: {@code
   * CompressionInfo.db}, {@code CRC.db} and {@code Digest.crc32}. The SSTable need not be one that
   * can be opened.
   */
  public static RebuildReport runForChunks(
      Directory directory, Descriptor descriptor, RebuildOptions options, MemoryBudget budget)
      throws IOException {
    return new SSTableRebuild(directory, descriptor, options, budget).runForChunks();
  }

  /**
   * The partitioner of an SSTable whose statistics are perhaps damaged: as their sound parts say,
   * else by which the keys of its index are in order.
   */
  public static Partitioner partitionerOf(
      Directory directory, Descriptor descriptor, RebuildOptions options, MemoryBudget budget)
      throws IOException {
    return new SSTableRebuild(directory, descriptor, options, budget).partitioner();
  }

  private RebuildReport runForChunks() throws IOException {
    try {
      removeTemporary();
      rebuildChunkFiles();
      if (!options.isDryRun()) {
        commit();
      }
      return new RebuildReport(descriptor, found, remarks);
    } finally {
      removeTemporary();
    }
  }

  private RebuildReport run() throws IOException {
    if (!directory.exists(name(Component.DATA))) {
      throw new NoSuchFileException(path(Component.DATA));
    }
    try {
      removeTemporary();
      rebuildChunkFiles();
      // What it names is looked at last: an SSTable can be opened without it.
      files.hide(name(Component.TOC));
      rebuildMissing();
      rebuildWrong();
      rebuildContents();
      if (!options.isDryRun()) {
        commit();
      }
      return new RebuildReport(descriptor, found, remarks);
    } finally {
      removeTemporary();
    }
  }

  private String name(Component component) {
    return descriptor.fileName(component);
  }

  private String path(Component component) {
    return directory.path() + "/" + name(component);
  }

  private boolean exists(Component component) throws IOException {
    return files.exists(name(component));
  }

  /** The temporary name of a component that is about to be written. */
  private String temporary(Component component) {
    return descriptor.temporaryFileName(component);
  }

  /** A component was written under its temporary name. */
  private void use(Component component, String reason) {
    files.replace(name(component), temporary(component));
    rebuilt.put(component, reason);
    found.add(new RebuildReport.Rebuilt(component, reason));
  }

  // Chunks and their checksums.

  private void rebuildChunkFiles() throws IOException {
    Long told = toldDigest();
    long digest = ChunkedFile.digest(files, name(Component.DATA));
    boolean isDigestRight = told != null && told == digest;
    boolean isProved =
        isCompressed() ? rebuildDescription() : rebuildChecksums(isDigestRight, told);
    if (!isDigestRight) {
      String reason =
          !exists(Component.DIGEST)
              ? "it was missing"
              : told == null ? "is not a decimal number" : "says " + told + ", it is " + digest;
      if (!isProved) {
        remarks.add(
            path(Component.DATA)
                + " has neither a digest nor checksums: whether it is what was written is not"
                + " known, but all of it can be read");
      }
      SSTableFiles.writeText(
          directory, temporary(Component.DIGEST), Long.toString(digest), WriteIntent.OTHER);
      use(Component.DIGEST, reason);
    }
  }

  private @Nullable Long toldDigest() throws IOException {
    if (!exists(Component.DIGEST)) {
      return null;
    }
    try {
      return SSTableFiles.readDigest(files, name(Component.DIGEST));
    } catch (CorruptSSTableException e) {
      return null;
    }
  }

  private boolean isCompressed() throws IOException {
    if (exists(Component.COMPRESSION_INFO)) {
      return true;
    }
    StatsMetadata stats = partsOfStatistics().stats();
    if (stats != null) {
      return stats.compressionRatio() >= 0;
    }
    return !exists(Component.CRC)
        && (namesInContents().contains(Component.COMPRESSION_INFO.fileName())
            || options.compression().isEnabled());
  }

  /** Checks all chunks of a compressed file, and finds them anew if their places are wrong. */
  private boolean rebuildDescription() throws IOException {
    CorruptFileException fault = null;
    String reason = "it was missing";
    if (exists(Component.COMPRESSION_INFO)) {
      fault = faultOfChunks(true);
      if (fault == null) {
        return true;
      }
      reason = fault.reason();
    }
    try {
      ChunkRepair.describe(
          directory,
          name(Component.DATA),
          temporary(Component.COMPRESSION_INFO),
          compressions(),
          budget);
    } catch (CorruptFileException e) {
      throw damaged(fault == null ? e : fault);
    }
    use(Component.COMPRESSION_INFO, reason);
    CorruptFileException left = faultOfChunks(true);
    if (left != null) {
      throw damaged(left);
    }
    return true;
  }

  private CorruptSSTableException damaged(CorruptFileException fault) {
    return new CorruptSSTableException(
        fault.path(), Component.DATA, fault.offset(), fault.reason() + REMEDY, fault);
  }

  /** How the data may be compressed, the most likely first. */
  private List<CompressionOptions> compressions() throws IOException {
    List<CompressionOptions> candidates = new ArrayList<>();
    if (exists(Component.COMPRESSION_INFO)) {
      try (ChunkedFile data =
          ChunkedFile.openForSalvage(
              files, name(Component.DATA), name(Component.COMPRESSION_INFO), budget)) {
        candidates.add(data.compression());
      } catch (CorruptFileException e) {
        // Not even that can be read.
      }
    }
    if (options.compression().isEnabled()) {
      candidates.add(options.compression());
    }
    for (String compressor : CompressionOptions.COMPRESSORS) {
      candidates.add(CompressionOptions.fromMap(Map.of("class", compressor)));
    }
    return candidates;
  }

  private boolean rebuildChecksums(boolean isDigestRight, @Nullable Long toldDigest)
      throws IOException {
    boolean isThere = exists(Component.CRC);
    CorruptFileException fault = isThere ? faultOfChunks(false) : null;
    if (isThere && fault == null) {
      return true;
    }
    if (!isDigestRight && fault != null) {
      throw damaged(fault);
    }
    if (!isDigestRight && toldDigest != null) {
      throw new CorruptSSTableException(
          path(Component.DATA),
          Component.DATA,
          CorruptFileException.WHOLE_FILE,
          "there are no checksums, and the digest is another than " + toldDigest + REMEDY);
    }
    ChunkRepair.writeChecksums(
        directory, name(Component.DATA), temporary(Component.CRC), plainChunkLength());
    use(Component.CRC, fault == null ? "it was missing" : fault.reason());
    return isDigestRight;
  }

  /** The chunk length that a {@code CRC.db} begins with, or Cassandra's. */
  private int plainChunkLength() throws IOException {
    if (exists(Component.CRC) && files.length(name(Component.CRC)) >= Integer.BYTES) {
      try (ReadableFile file = files.open(name(Component.CRC), ReadIntent.SCAN)) {
        ByteBuffer head = ByteBuffer.allocate(Integer.BYTES);
        file.readFully(0, head);
        int length = head.getInt(0);
        if (length >= 512 && length <= MOST_PLAIN_CHUNK_BYTES && Integer.bitCount(length) == 1) {
          return length;
        }
      }
    }
    return PLAIN_CHUNK_BYTES;
  }

  /** Reads all chunks; returns what is wrong, or null. */
  private @Nullable CorruptFileException faultOfChunks(boolean isCompressed) throws IOException {
    try (ChunkedFile data = openData(isCompressed);
        ChunkSource chunks = data.openSequential(SequentialAccess.SCAN, 0, data.length())) {
      byte[] buffer = new byte[PLAIN_CHUNK_BYTES];
      for (long position = 0; position < data.length(); ) {
        int count = chunks.read(position, buffer, 0, buffer.length);
        if (count <= 0) {
          return new CorruptFileException(
              data.path(), position, "the data ends before " + data.length());
        }
        position += count;
      }
      return null;
    } catch (CorruptFileException e) {
      return e;
    }
  }

  private ChunkedFile openData(boolean isCompressed) throws IOException {
    return isCompressed
        ? ChunkedFile.openCompressed(
            files, name(Component.DATA), name(Component.COMPRESSION_INFO), budget, 1)
        : ChunkedFile.openPlain(
            files,
            name(Component.DATA),
            exists(Component.CRC) ? name(Component.CRC) : null,
            budget,
            1);
  }

  // What is derived from the data.

  private StatisticsParts partsOfStatistics() throws IOException {
    if (!exists(Component.STATISTICS)) {
      return StatisticsParts.NOTHING;
    }
    SerializationHeader table = options.table();
    return StatisticsParts.read(
        files,
        name(Component.STATISTICS),
        descriptor.version(),
        table == null ? null : table.clusteringTypes());
  }

  private void rebuildMissing() throws IOException {
    if (!exists(Component.STATISTICS)) {
      rebuildStatistics("it was missing");
    }
    if (!exists(Component.PRIMARY_INDEX)) {
      rebuildIndex("it was missing");
    }
    if (!exists(Component.SUMMARY)) {
      rebuildSummary("it was missing");
    }
    if (!exists(Component.FILTER) && hasFilter()) {
      rebuildFilter("it was missing");
    }
  }

  private boolean hasFilter() throws IOException {
    ValidationMetadata validation = partsOfStatistics().validation();
    return validation == null
        ? options.bloomFilterFpChance() < 1
        : validation.bloomFilterFpChance() < 1;
  }

  /** Verifies the SSTable until nothing is wrong with it any more. */
  private void rebuildWrong() throws IOException {
    while (true) {
      try (SSTable table = SSTable.open(files, descriptor, SSTableOptions.DEFAULT, budget)) {
        new SSTableVerifier(table).verifyContent(position -> {});
        return;
      } catch (CorruptSSTableException e) {
        rebuild(e);
      }
    }
  }

  private void rebuild(CorruptSSTableException fault) throws IOException {
    Component component = fault.component();
    if (rebuilt.containsKey(component)) {
      throw new CorruptSSTableException(
          fault.path(), component, fault.offset(), fault.reason() + REMEDY, fault);
    }
    switch (component) {
      case PRIMARY_INDEX -> rebuildIndex(fault.reason());
      case SUMMARY -> rebuildSummary(fault.reason());
      case FILTER -> rebuildFilter(fault.reason());
      case STATISTICS -> rebuildStatistics(fault.reason());
      default ->
          throw new CorruptSSTableException(
              fault.path(), component, fault.offset(), fault.reason() + REMEDY, fault);
    }
  }

  private void rebuildIndex(String reason) throws IOException {
    derive();
    use(Component.PRIMARY_INDEX, reason);
    // Its samples are places of the index before.
    rebuilt.remove(Component.SUMMARY);
    files.hide(name(Component.SUMMARY));
    deleteIfThere(temporary(Component.SUMMARY));
    rebuildSummary("belongs to the index that was replaced");
  }

  private void rebuildFilter(String reason) throws IOException {
    derive();
    use(Component.FILTER, reason);
  }

  /** Derives index, filter and statistics, from whatever header there is. */
  private Statistics derive() throws IOException {
    Statistics present = derived;
    if (present == null) {
      // It may be damaged as well, and is needed to read the data.
      if (!rebuilt.containsKey(Component.STATISTICS)) {
        try {
          Statistics.read(files, name(Component.STATISTICS), descriptor.version());
        } catch (CorruptSSTableException e) {
          rebuildStatistics(e.reason());
          return Objects.requireNonNull(derived);
        }
      }
      Statistics statistics =
          Statistics.read(files, name(Component.STATISTICS), descriptor.version());
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
    deleteIfThere(temporary(Component.PRIMARY_INDEX));
    deleteIfThere(temporary(Component.FILTER));
    try (ChunkedFile data = openData(exists(Component.COMPRESSION_INFO))) {
      Statistics present =
          new DerivedComponents(data, header, descriptor, partitioner, budget)
              .write(
                  directory,
                  temporary(Component.PRIMARY_INDEX),
                  temporary(Component.FILTER),
                  options.withBloomFilterFpChance(chance));
      derived = present;
      return present;
    }
  }

  private void rebuildSummary(String reason) throws IOException {
    try (ReadableFile index = files.open(name(Component.PRIMARY_INDEX), ReadIntent.SCAN);
        IndexCursor entries = IndexCursor.over(index, PLAIN_CHUNK_BYTES, true);
        IndexSummary summary =
            IndexOpening.summaryOf(entries, partitioner(), options.minIndexInterval(), budget)) {
      summary.write(directory, temporary(Component.SUMMARY), WriteIntent.OTHER);
    } catch (CorruptSSTableException e) {
      if (e.component() == Component.PRIMARY_INDEX
          && !rebuilt.containsKey(Component.PRIMARY_INDEX)) {
        rebuildIndex(e.reason());
        return;
      }
      throw e;
    }
    use(Component.SUMMARY, reason);
  }

  private Partitioner partitioner() throws IOException {
    ValidationMetadata validation = partsOfStatistics().validation();
    if (validation != null) {
      return Partitioner.ofClassName(validation.partitioner());
    }
    Partitioner known = options.partitioner();
    if (known != null) {
      return known;
    }
    for (Partitioner candidate : PARTITIONERS) {
      if (isOrderOf(candidate)) {
        return candidate;
      }
    }
    return Partitioner.MURMUR3;
  }

  /** Whether the keys of the index are in the order of a partitioner, as far as can be read. */
  private boolean isOrderOf(Partitioner partitioner) throws IOException {
    if (!exists(Component.PRIMARY_INDEX)) {
      return false;
    }
    long[] hash = new long[2];
    PartitionKey key = new PartitionKey();
    PartitionKey before = new PartitionKey();
    try (ReadableFile index = files.open(name(Component.PRIMARY_INDEX), ReadIntent.SCAN);
        IndexCursor entries = IndexCursor.over(index, PLAIN_CHUNK_BYTES, true)) {
      for (boolean isFirst = true; entries.next(); isFirst = false) {
        entries.wrapKey(key, partitioner, hash);
        if (!isFirst && key.compareTo(before) <= 0) {
          return false;
        }
        before.copyFrom(key);
      }
    } catch (CorruptSSTableException e) {
      // What was read before it counts.
    }
    return true;
  }

  private void rebuildStatistics(String reason) throws IOException {
    StatisticsParts parts = partsOfStatistics();
    StatisticsParts sound = parts;
    SerializationHeader header = parts.header();
    if (header == null) {
      try (ChunkedFile data = openData(exists(Component.COMPRESSION_INFO))) {
        header =
            new HeaderSearch(
                    data,
                    descriptor,
                    path(Component.STATISTICS),
                    partitioner(),
                    parts.stats(),
                    options,
                    siblings(),
                    budget)
                .find();
      }
      remarks.add(
          path(Component.STATISTICS)
              + ": the header was found from "
              + (parts.stats() == null ? "the bases that were given" : "the stats")
              + " and the table's columns, and all rows can be read with it");
      if (parts.stats() == null) {
        remarks.add(
            path(Component.STATISTICS)
                + ": The bases that were given cannot be checked. If they are not those of this"
                + " SSTable, all timestamps, deletion times and TTLs are shifted.");
      }
    }
    ValidationMetadata validation = parts.validation();
    double chance =
        validation == null ? options.bloomFilterFpChance() : validation.bloomFilterFpChance();
    Statistics all = derive(header, partitioner(), chance);
    boolean isWhole =
        parts.validation() != null
            && parts.compaction() != null
            && parts.stats() != null
            && parts.header() != null;
    if (isWhole) {
      sound = withoutWrong(parts, all, reason);
    }
    if (sound.stats() == null && !isWhole) {
      remarks.add(
          path(Component.STATISTICS)
              + ": level, state of repair and position in the commit log are lost; it counts as of"
              + " level 0, not repaired, and of no commit log");
    }
    new Statistics(
            sound.validation() == null ? all.validation() : sound.validation(),
            sound.compaction() == null ? all.compaction() : sound.compaction(),
            sound.stats() == null ? all.stats() : sound.stats(),
            header)
        .write(directory, temporary(Component.STATISTICS), descriptor.version(), WriteIntent.OTHER);
    use(Component.STATISTICS, reason);
  }

  /**
   * All checksums are right, but the figures are wrong. They may be narrower than the data is; but
   * if they are those of another SSTable, so is the header, and all times would be wrong.
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
          path(Component.STATISTICS),
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

  /** Headers of other SSTables of the directory that can be read. */
  private List<SerializationHeader> siblings() throws IOException {
    List<SerializationHeader> headers = new ArrayList<>();
    for (String file : directory.files()) {
      if (Descriptor.isComponent(file, Component.STATISTICS)
          && !file.equals(name(Component.STATISTICS))) {
        try {
          headers.add(Statistics.read(directory, file, Descriptor.parse(file).version()).header());
        } catch (IOException | IllegalArgumentException e) {
          // It cannot help.
        }
      }
    }
    return headers;
  }

  // TOC.txt, and the end.

  private Set<String> namesInContents() throws IOException {
    Set<String> names = new TreeSet<>();
    if (directory.exists(name(Component.TOC))) {
      String text;
      try {
        text = SSTableFiles.readText(directory, name(Component.TOC), Component.TOC);
      } catch (CorruptSSTableException e) {
        return names;
      }
      text.lines().map(String::strip).filter(line -> !line.isEmpty()).forEach(names::add);
    }
    return names;
  }

  /** Compares what the table of contents names with what is there. */
  private void rebuildContents() throws IOException {
    String prefix = name(Component.DATA);
    prefix = prefix.substring(0, prefix.length() - Component.DATA.fileName().length());
    Set<String> there = new TreeSet<>();
    for (String file : directory.files()) {
      if (file.startsWith(prefix) && !file.endsWith(Descriptor.TEMPORARY_SUFFIX)) {
        there.add(file.substring(prefix.length()));
      }
    }
    rebuilt.keySet().forEach(component -> there.add(component.fileName()));
    there.add(Component.TOC.fileName());
    boolean isThere = directory.exists(name(Component.TOC));
    Set<String> named = namesInContents();
    if (isThere && named.equals(there)) {
      return;
    }
    Set<String> missing = new TreeSet<>(there);
    missing.removeAll(named);
    Set<String> surplus = new TreeSet<>(named);
    surplus.removeAll(there);
    if (isThere && missing.isEmpty() && surplus.stream().allMatch(Component::isOfIndex)) {
      // It names files of indexes that other software has written, or has not.
      return;
    }
    StringBuilder text = new StringBuilder();
    there.forEach(each -> text.append(each).append('\n'));
    SSTableFiles.writeText(directory, temporary(Component.TOC), text.toString(), WriteIntent.OTHER);
    use(Component.TOC, isThere ? contentsReason(missing, surplus) : "it was missing");
  }

  private static String contentsReason(Set<String> missing, Set<String> surplus) {
    String lacks = "it did not name " + String.join(", ", missing);
    String names = "it named files that do not exist: " + String.join(", ", surplus);
    return missing.isEmpty() ? names : surplus.isEmpty() ? lacks : lacks + "; " + names;
  }

  /** Gives the new files their names; those before are kept aside. */
  private void commit() throws IOException {
    if (rebuilt.isEmpty()) {
      return;
    }
    Directory aside = directory.directory(SET_ASIDE);
    directory.sync();
    for (Component component : rebuilt.keySet()) {
      if (directory.exists(name(component))) {
        if (aside.exists(name(component))) {
          aside.delete(name(component));
        }
        directory.link(name(component), aside, name(component));
      }
    }
    aside.sync();
    for (Component component : rebuilt.keySet()) {
      directory.rename(temporary(component), name(component));
    }
    directory.sync();
  }

  private void removeTemporary() throws IOException {
    for (Component component : Component.values()) {
      deleteIfThere(temporary(component));
    }
  }

  private void deleteIfThere(String file) throws IOException {
    if (directory.exists(file)) {
      directory.delete(file);
    }
  }
}
