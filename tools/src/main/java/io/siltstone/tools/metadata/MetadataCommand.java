package io.siltstone.tools.metadata;

import com.fasterxml.jackson.core.JsonGenerator;
import io.siltstone.bench.report.JsonDocument;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.sstable.SSTable;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.KeyFileOption;
import io.siltstone.tools.terminal.SSTableFile;
import io.siltstone.tools.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The command {@code siltstone metadata}: prints metadata of SSTables without reading their data.
 */
@Command(
    name = "metadata",
    mixinStandardHelpOptions = true,
    description = {
      "Prints an SSTable's metadata in the text of Cassandra's sstablemetadata: times, levels,"
          + " histograms, types and columns.",
      "Dates are in the local time zone, as in sstablemetadata."
    })
public final class MetadataCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final Supplier<MemoryBudget> memory;
  private final Clock clock;

  @Parameters(paramLabel = "FILE-Data.db", arity = "1..*", description = "Data files of SSTables.")
  private List<Path> files = List.of();

  @Mixin private KeyFileOption keys;

  @Option(
      names = {"-g", "--gc_grace_seconds"},
      paramLabel = "SECONDS",
      description = "Age at which tombstones count as droppable. Default: ${DEFAULT-VALUE}.")
  private int gcGraceSeconds = 0;

  @Option(
      names = "--json",
      description = "Print one JSON document; times are numbers and sizes bytes.")
  private boolean isJson;

  /**
   * @param memory that tables are opened with; stays open
   * @param clock decides which tombstones are droppable, and in which time zone dates are shown
   */
  public MetadataCommand(Terminal terminal, Supplier<MemoryBudget> memory, Clock clock) {
    this.terminal = terminal;
    this.keys = new KeyFileOption(terminal);
    this.memory = memory;
    this.clock = clock;
  }

  @Override
  public Integer call() throws IOException {
    if (isJson) {
      JsonDocument.write(terminal.out(), this::write);
      return ExitCode.OK;
    }
    MetadataText text = new MetadataText(terminal, clock, gcGraceSeconds);
    for (Path file : files) {
      SSTableFile named = SSTableFile.of(file, keys);
      try (SSTable table = named.open(memory.get())) {
        text.print(named, table);
      }
    }
    return ExitCode.OK;
  }

  private void write(JsonGenerator json) throws IOException {
    MetadataJson object = new MetadataJson(json);
    json.writeStartObject();
    json.writeArrayFieldStart("sstables");
    for (Path file : files) {
      SSTableFile named = SSTableFile.of(file, keys);
      try (SSTable table = named.open(memory.get())) {
        double droppable =
            MetadataText.droppable(table.statistics().stats(), clock, gcGraceSeconds);
        object.write(named, table, droppable);
      }
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
