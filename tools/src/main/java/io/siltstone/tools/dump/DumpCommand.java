package io.siltstone.tools.dump;

import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.index.KeyEntries;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.KeyFileOption;
import io.siltstone.tools.terminal.SSTableFile;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code siltstone dump}: prints an SSTable like Cassandra's {@code sstabledump}. */
@Command(
    name = "dump",
    mixinStandardHelpOptions = true,
    description = {
      "Prints the content of an SSTable as JSON, byte for byte like Cassandra's" + " sstabledump.",
      "No schema is needed: the SSTable's header has the types."
    })
public final class DumpCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final Supplier<MemoryBudget> memory;
  private final InstantSource clock;

  @Parameters(paramLabel = "FILE-Data.db", description = "The SSTable's data file.")
  private Path file;

  @Mixin private KeyFileOption keyFile;

  @Option(
      names = "-k",
      paramLabel = "KEY",
      description =
          "Only the partition with this key; columns of a composite key are separated by"
              + " ':'. May be repeated.")
  private List<String> keys = List.of();

  @Option(
      names = "-x",
      paramLabel = "KEY",
      description = "Exclude the partition with this key. May be repeated.")
  private List<String> excluded = List.of();

  @Option(names = "-e", description = "Partition keys only.")
  private boolean keysOnly;

  @Option(names = "-l", description = "One line per partition.")
  private boolean lines;

  @Option(names = "-t", description = "Print times as raw numbers, not as ISO 8601 dates.")
  private boolean rawTimes;

  /**
   * @param memory budget that tables are opened with; stays open
   * @param clock decides what has expired
   */
  public DumpCommand(Terminal terminal, Supplier<MemoryBudget> memory, InstantSource clock) {
    this.terminal = terminal;
    this.keyFile = new KeyFileOption(terminal);
    this.memory = memory;
    this.clock = clock;
  }

  @Override
  public Integer call() throws IOException {
    SSTableFile named = SSTableFile.of(file, keyFile);
    if (named.hasDeletedRanges()) {
      terminal.errorLine(
          file
              + ": its table has deletions of ranges of keys, which are in none of its SSTables; what"
              + " they delete is printed, too");
    }
    try (SSTable table = named.open(memory.get())) {
      DumpTimes times = new DumpTimes(rawTimes, clock.millis() / 1000);
      // The files of an index are in a directory below the table's, whose name begins with a dot.
      String kind = named.directoryName().startsWith(".") ? "INDEX" : "REGULAR";
      // Invalid keys are rejected before anything is printed.
      Set<PartitionKey> wanted = keysOnly ? Set.of() : wanted(table);
      JsonDump json = new JsonDump(table.header(), kind, times, lines && !keysOnly, terminal.out());
      try {
        json.begin();
        if (keysOnly) {
          dumpKeys(table, json);
        } else {
          dump(table, wanted, json);
        }
        json.end();
      } finally {
        // The output before an error is printed.
        json.flush();
      }
    }
    return ExitCode.OK;
  }

  private static void dumpKeys(SSTable table, JsonDump json) throws IOException {
    Component component = table.descriptor().version().keyComponent();
    try (KeyEntries entries = table.indexEntries()) {
      while (entries.next()) {
        try {
          json.key(entries.key());
        } catch (IllegalArgumentException e) {
          throw new CorruptSSTableException(
              table.directory().path() + "/" + table.descriptor().fileName(component),
              component,
              entries.position(),
              "key of an entry: " + e.getMessage(),
              e);
        }
      }
    }
  }

  private void dump(SSTable table, Set<PartitionKey> wanted, PartitionText text)
      throws IOException {
    PartitionKeyText partitionKeyText = new PartitionKeyText(table.header().keyType());
    Set<String> out = new HashSet<>(excluded);
    if (keys.isEmpty()) {
      try (DataCursor cursor = table.scan()) {
        while (cursor.nextPartition()) {
          if (out.isEmpty() || !out.contains(text(partitionKeyText, cursor))) {
            text.partition(cursor);
          }
        }
      }
      return;
    }
    for (PartitionKey key : wanted) {
      try (DataCursor cursor = table.scan(new PartitionRange(key, null))) {
        // A key can be written in several ways; this is how it is printed.
        if (!cursor.nextPartition() || !cursor.key().equals(key)) {
          terminal
              .err()
              .print(
                  "siltstone: " + file + " has no partition " + partitionKeyText.whole(key) + "\n");
        } else if (!out.contains(text(partitionKeyText, cursor))) {
          text.partition(cursor);
        }
      }
    }
  }

  private static String text(PartitionKeyText partitionKeyText, DataCursor cursor)
      throws IOException {
    try {
      return partitionKeyText.whole(cursor.key());
    } catch (IllegalArgumentException e) {
      throw cursor.corrupt(0, "partition " + cursor.key() + ": " + e.getMessage());
    }
  }

  private Set<PartitionKey> wanted(SSTable table) {
    PartitionKeyText partitionKeyText = new PartitionKeyText(table.header().keyType());
    Partitioner partitioner = table.partitioner();
    Set<PartitionKey> wanted = new TreeSet<>();
    for (String key : keys) {
      PartitionKey parsed = parse(partitionKeyText, partitioner, key);
      if (!excluded.contains(key)) {
        wanted.add(parsed);
      }
    }
    for (String key : excluded) {
      parse(partitionKeyText, partitioner, key);
    }
    return wanted;
  }

  private static PartitionKey parse(
      PartitionKeyText partitionKeyText, Partitioner partitioner, String key) {
    try {
      return partitionKeyText.parse(partitioner, key);
    } catch (IllegalArgumentException e) {
      throw new UsageException("key '" + key + "': " + e.getMessage(), e);
    }
  }
}
