package io.siltstone.interop;

import com.google.common.base.Throwables;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.Unfiltered;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.Component;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.ISSTableScanner;
import org.apache.cassandra.io.sstable.IVerifier;
import org.apache.cassandra.io.sstable.KeyIterator;
import org.apache.cassandra.io.sstable.SSTableReadsListener;
import org.apache.cassandra.io.sstable.format.SSTableFormat;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.io.util.RandomAccessReader;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.TableMetadataRef;
import org.apache.cassandra.tools.JsonTransformer;
import org.apache.cassandra.tools.SSTableMetadataViewer;
import org.apache.cassandra.tools.Util;
import org.apache.cassandra.utils.OutputHandler;

/**
 * Lets Cassandra examine SSTables in any directory. It changes none of the files, and fails if
 * Cassandra did (opened online, Cassandra silently rebuilds a Summary.db that it cannot use).
 *
 * <p>Every finding is an {@link AssertionError} that names the file. Confined to one thread.
 */
final class CassandraJudge {

  /** The options of {@code sstabledump}. */
  enum DumpStyle {
    /** Without options. */
    DEFAULT,
    /** With {@code -t}: timestamps as numbers. */
    RAW_TIMESTAMPS,
    /** With {@code -l}: one line per partition. */
    LINES,
    /** With {@code -e}: keys only. */
    KEYS
  }

  /**
   * The number of partitions that {@link #examine} reads by key, and of rows of each that it reads
   * by slice; more with {@code interop.scale}.
   */
  private static final int SAMPLES = Scenario.isLarge() ? 200 : 40;

  CassandraJudge(CassandraNode node) {
    Objects.requireNonNull(node);
  }

  /**
   * Returns the text that {@code sstabledump} prints; the schema is that of the file's own header.
   */
  String dump(Path dataFile) throws IOException {
    return dump(dataFile, DumpStyle.DEFAULT);
  }

  String dump(Path dataFile, DumpStyle style) throws IOException {
    Descriptor descriptor = descriptor(dataFile);
    TableMetadata metadata = Util.metadataFromSSTable(descriptor);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    SSTableReader sstable =
        SSTableReader.openNoValidation(
            null, descriptor, TableMetadataRef.forOfflineTools(metadata));
    try (ISSTableScanner scanner = sstable.getScanner();
        KeyIterator keys = sstable.keyIterator()) {
      switch (style) {
        case DEFAULT, RAW_TIMESTAMPS ->
            CassandraCalls.toJson(
                "toJson",
                scanner,
                Util.iterToStream(scanner),
                style == DumpStyle.RAW_TIMESTAMPS,
                metadata,
                out);
        case LINES ->
            CassandraCalls.toJson(
                "toJsonLines", scanner, Util.iterToStream(scanner), false, metadata, out);
        case KEYS ->
            JsonTransformer.keysToJson(null, Util.iterToStream(keys), false, metadata, out);
      }
    } finally {
      sstable.selfRef().release();
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  /** Returns the text that {@code sstablemetadata -s} prints. */
  String metadata(Path dataFile) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8)) {
      SSTableMetadataViewer viewer =
          new SSTableMetadataViewer(false, false, 0, TimeUnit.MICROSECONDS, print);
      Method method =
          SSTableMetadataViewer.class.getDeclaredMethod(
              "printSStableMetadata", File.class, boolean.class);
      method.setAccessible(true);
      method.invoke(viewer, new File(dataFile), true);
    } catch (InvocationTargetException e) {
      throw new AssertionError(dataFile + ": sstablemetadata: " + e.getCause(), e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("not the SSTableMetadataViewer of Cassandra 5.0", e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  /** Returns the content of Data.db as Cassandra's own reader decompresses it. */
  byte[] uncompressedData(Path dataFile) throws IOException {
    Descriptor descriptor = descriptor(dataFile);
    TableMetadata metadata = Util.metadataFromSSTable(descriptor);
    SSTableReader sstable =
        SSTableReader.openNoValidation(
            null, descriptor, TableMetadataRef.forOfflineTools(metadata));
    try (RandomAccessReader reader = sstable.openDataReader()) {
      byte[] bytes = new byte[Math.toIntExact(reader.length())];
      reader.readFully(bytes);
      return bytes;
    } finally {
      sstable.selfRef().release();
    }
  }

  /** Returns everything in the file as canonical text ({@link CanonicalText}). */
  String canonical(Path dataFile) throws IOException {
    Descriptor descriptor = descriptor(dataFile);
    TableMetadata metadata = Util.metadataFromSSTable(descriptor);
    SSTableReader sstable =
        SSTableReader.openNoValidation(
            null, descriptor, TableMetadataRef.forOfflineTools(metadata));
    CanonicalText text = new CanonicalText();
    try (ISSTableScanner scanner = sstable.getScanner()) {
      while (scanner.hasNext()) {
        try (UnfilteredRowIterator partition = scanner.next()) {
          CassandraText.partition(text, partition);
        }
      }
    } finally {
      sstable.selfRef().release();
    }
    return text.toString();
  }

  /**
   * Opens the SSTable like a node, runs the extended verifier, and reads it by scan, by key and by
   * slice in both directions; the results must agree.
   *
   * @param table with the schema of the SSTable; not changed
   */
  void examine(Path dataFile, CassandraTable table) throws IOException {
    Descriptor descriptor = descriptor(dataFile);
    Set<Component> components = descriptor.discoverComponents();
    checkTableOfContents(dataFile, descriptor, components);
    Map<String, Long> before = checksums(descriptor, components);
    SSTableReader sstable;
    try {
      sstable =
          SSTableReader.open(
              table.store(),
              descriptor,
              components,
              TableMetadataRef.forOfflineTools(table.metadata()),
              true,
              false);
    } catch (RuntimeException | Error e) {
      throw new AssertionError(dataFile + ": cannot be opened: " + e, e);
    }
    try {
      verify(dataFile, sstable, table);
      try {
        new Reads(sstable, table.metadata()).check();
      } catch (RuntimeException | IOException e) {
        throw new AssertionError(dataFile + ": reading: " + e, e);
      }
      Map<String, Long> after = checksums(descriptor, components);
      if (!before.equals(after)) {
        throw new AssertionError(
            dataFile + ": Cassandra rewrote a component: " + before + " became " + after);
      }
    } finally {
      sstable.selfRef().release();
    }
  }

  private static Descriptor descriptor(Path dataFile) {
    return Descriptor.fromFileWithComponent(new File(dataFile), CassandraNode.KEYSPACE, "table")
        .left;
  }

  private static void checkTableOfContents(
      Path dataFile, Descriptor descriptor, Set<Component> components) throws IOException {
    Path toc = descriptor.fileFor(SSTableFormat.Components.TOC).toPath();
    Set<String> listed = new TreeSet<>(Files.readAllLines(toc));
    Set<String> present = new TreeSet<>();
    components.forEach(component -> present.add(component.name()));
    if (!listed.equals(present)) {
      throw new AssertionError(dataFile + ": TOC.txt lists " + listed + ", present " + present);
    }
  }

  private static Map<String, Long> checksums(Descriptor descriptor, Set<Component> components)
      throws IOException {
    Map<String, Long> checksums = new TreeMap<>();
    for (Component component : components) {
      CRC32 crc = new CRC32();
      crc.update(Files.readAllBytes(descriptor.fileFor(component).toPath()));
      checksums.put(component.name(), crc.getValue());
    }
    return checksums;
  }

  private static void verify(Path dataFile, SSTableReader sstable, CassandraTable table) {
    List<String> said = new ArrayList<>();
    IVerifier.Options options =
        IVerifier.options()
            .extendedVerification(true)
            .checkVersion(false)
            .mutateRepairStatus(false)
            .checkOwnsTokens(false)
            .build();
    try (IVerifier verifier =
        sstable.getVerifier(table.store(), new Transcript(said), true, options)) {
      verifier.verify();
    } catch (RuntimeException | Error e) {
      if (!isFullLastChunk(sstable, e)) {
        throw new AssertionError(dataFile + ": extended verifier: " + e + "; it said " + said, e);
      }
    }
  }

  /**
   * Returns whether the verifier failed for a known reason: that of Cassandra 5.0.9 seeks after the
   * last partition, and fails if the last chunk is full, because there is no further chunk. All
   * partitions were read by then.
   */
  private static boolean isFullLastChunk(SSTableReader sstable, Throwable e) {
    return sstable.compression
        && sstable.uncompressedLength() % sstable.getCompressionMetadata().chunkLength() == 0
        && Throwables.getRootCause(e) instanceof EOFException;
  }

  /** Collects the output of a tool. */
  private record Transcript(List<String> lines) implements OutputHandler {
    @Override
    public void output(String message) {
      lines.add(message);
    }

    @Override
    public void debug(String message) {}

    /** Asked by Cassandra 6. */
    @SuppressWarnings({"unused", "MissingOverride"})
    public boolean isDebugEnabled() {
      return false;
    }

    @Override
    public void warn(String message) {
      lines.add("WARN " + message);
    }

    @Override
    public void warn(Throwable cause, String message) {
      lines.add("WARN " + message + ' ' + cause);
    }
  }

  /** Reads one open SSTable in several ways and compares them. */
  private static final class Reads {
    private final SSTableReader sstable;
    private final TableMetadata table;
    private final ColumnFilter columns;

    Reads(SSTableReader sstable, TableMetadata table) {
      this.sstable = sstable;
      this.table = table;
      this.columns = ColumnFilter.all(table);
    }

    void check() throws IOException {
      List<DecoratedKey> keys = new ArrayList<>();
      try (KeyIterator iterator = sstable.keyIterator()) {
        while (iterator.hasNext()) {
          keys.add(iterator.next());
        }
      }
      int every = Math.max(1, keys.size() / SAMPLES);
      int partitions = 0;
      try (ISSTableScanner scanner = sstable.getScanner()) {
        while (scanner.hasNext()) {
          try (UnfilteredRowIterator partition = scanner.next()) {
            if (partitions >= keys.size()
                || !partition.partitionKey().equals(keys.get(partitions))) {
              throw new AssertionError(
                  "partition " + partitions + ": not in the index: " + partition.partitionKey());
            }
            checkPartition(partition, partitions % every == 0 || partitions == keys.size() - 1);
          }
          partitions++;
        }
      }
      if (partitions != keys.size()) {
        throw new AssertionError(
            "the index has " + keys.size() + " partitions, Data.db " + partitions);
      }
    }

    private void checkPartition(UnfilteredRowIterator partition, boolean sampled) {
      DecoratedKey key = partition.partitionKey();
      if (!sstable.mayContainAssumingKeyIsInRange(key)) {
        throw new AssertionError("the filter denies " + key);
      }
      CanonicalText scanned = new CanonicalText();
      CassandraText.head(scanned, partition);
      List<Unfiltered> content = new ArrayList<>();
      Clustering<?> last = null;
      while (partition.hasNext()) {
        Unfiltered unfiltered = partition.next();
        if (unfiltered instanceof Row row) {
          row.validateData(table);
          if (last != null && table.comparator.compare(last, row.clustering()) >= 0) {
            throw new AssertionError("rows out of order in " + key);
          }
          last = row.clustering();
        }
        if (sampled) {
          content.add(unfiltered);
        }
      }
      if (sampled) {
        readByKey(key, scanned.toString(), content);
        readBySlice(key, content);
      }
    }

    private void readByKey(DecoratedKey key, String head, List<Unfiltered> content) {
      CanonicalText expected = new CanonicalText();
      content.forEach(unfiltered -> CassandraText.unfiltered(expected, unfiltered));
      for (boolean reversed : new boolean[] {false, true}) {
        CanonicalText found = new CanonicalText();
        CanonicalText foundHead = new CanonicalText();
        try (UnfilteredRowIterator read =
            sstable.rowIterator(
                key, Slices.ALL, columns, reversed, SSTableReadsListener.NOOP_LISTENER)) {
          CassandraText.head(foundHead, read);
          List<Unfiltered> items = new ArrayList<>();
          while (read.hasNext()) {
            items.add(read.next());
          }
          if (reversed) {
            Collections.reverse(items);
          }
          items.forEach(item -> CassandraText.unfiltered(found, item));
        }
        if (!foundHead.toString().equals(head) || !found.toString().equals(expected.toString())) {
          throw new AssertionError(
              "read by key"
                  + (reversed ? " reversed" : "")
                  + " of "
                  + key
                  + " gave\n"
                  + foundHead
                  + found
                  + "the scan gave\n"
                  + head
                  + expected);
        }
      }
    }

    private void readBySlice(DecoratedKey key, List<Unfiltered> content) {
      List<Row> rows = new ArrayList<>();
      for (Unfiltered unfiltered : content) {
        if (unfiltered instanceof Row row) {
          rows.add(row);
        }
      }
      int samples = Math.min(rows.size(), SAMPLES);
      for (int i = 0; i < samples; i++) {
        // The first and the last one included.
        Row expected = rows.get((int) ((long) i * (rows.size() - 1) / Math.max(1, samples - 1)));
        if (expected.clustering().size() < table.comparator.size()) {
          continue; // a compact table's row without clustering cannot be named by a slice
        }
        Slices slice = Slices.with(table.comparator, Slice.make(expected.clustering()));
        for (boolean reversed : new boolean[] {false, true}) {
          Row found = null;
          try (UnfilteredRowIterator read =
              sstable.rowIterator(
                  key, slice, columns, reversed, SSTableReadsListener.NOOP_LISTENER)) {
            while (read.hasNext()) {
              if (read.next() instanceof Row row) {
                found = row;
              }
            }
          }
          if (!expected.equals(found)) {
            throw new AssertionError(
                "slice " + expected.toString(table) + " of " + key + " gave " + found);
          }
        }
      }
    }
  }

  /** Returns the files of one SSTable, by component name. */
  static Map<String, Path> components(Path dataFile) throws IOException {
    String name = dataFile.getFileName().toString();
    String prefix = name.substring(0, name.length() - "Data.db".length());
    Map<String, Path> files = new TreeMap<>();
    try (Stream<Path> siblings = Files.list(dataFile.toAbsolutePath().getParent())) {
      siblings
          .filter(path -> path.getFileName().toString().startsWith(prefix))
          .forEach(
              path -> files.put(path.getFileName().toString().substring(prefix.length()), path));
    }
    return files;
  }
}
