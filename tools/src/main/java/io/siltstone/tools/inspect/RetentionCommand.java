package io.siltstone.tools.inspect;

import com.fasterxml.jackson.core.JsonGenerator;
import io.siltstone.bench.report.JsonDocument;
import io.siltstone.spi.LiveTable;
import io.siltstone.text.CountText;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.Units;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code siltstone retention}: shows and raises the retention floor of a table. */
@Command(
    name = "retention",
    mixinStandardHelpOptions = true,
    description = {
      "Shows the retention floor of a table, the least time that reads show, and how much on the"
          + " disk lies below it as a whole.",
      "With --raise, raises it first, for good: rows whose time is less are hidden, and purged by"
          + " flushes and compactions. No process may have the database open then; a program that"
          + " has it open raises the floor by itself, or by its management bean."
    })
public final class RetentionCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private InspectTarget target;

  @Option(
      names = "--raise",
      paramLabel = "TIME",
      description =
          "A value of the first clustering column, in CQL; for a timeuuid also a time such as"
              + " 2026-03-01T12:00:00Z.")
  private @Nullable String raise;

  @Option(names = "--json", description = "Print one JSON document; sizes are bytes.")
  private boolean isJson;

  /** Creates a command that prints to the terminal. */
  public RetentionCommand(Terminal terminal) {
    this.terminal = terminal;
    this.target = new InspectTarget(terminal);
  }

  @Override
  public Integer call() throws IOException {
    if (raise != null) {
      boolean isRaised = target.raiseFloor("--raise", raise);
      terminal
          .err()
          .print(
              isRaised ? "the floor was raised\n" : "the floor was as great or greater already\n");
    }
    try (InspectedTable table = target.open()) {
      Optional<Object> floor = table.table().retentionFloor();
      List<LiveTable> all = table.table().live().tables();
      List<LiveTable> hidden =
          all.stream().filter(each -> each.hidden() == LiveTable.Hidden.ALL).toList();
      if (isJson) {
        JsonDocument.writeObject(
            terminal.out(), json -> write(json, table.table().toString(), floor, all, hidden));
      } else {
        terminal.line(
            table.table()
                + ": "
                + floor
                    .map(value -> "retention floor " + value + ", " + below(all, hidden))
                    .orElse("no retention floor"));
      }
      return table.damaged().isEmpty() ? ExitCode.OK : ExitCode.DAMAGED;
    }
  }

  private static String below(List<LiveTable> all, List<LiveTable> hidden) {
    return hidden.size()
        + " of "
        + CountText.of(all.size(), "SSTable")
        + " below it as a whole, "
        + Units.bytes(onDiskBytes(hidden));
  }

  private static long onDiskBytes(List<LiveTable> tables) {
    return tables.stream().mapToLong(LiveTable::onDiskBytes).sum();
  }

  private static void write(
      JsonGenerator json,
      String table,
      Optional<Object> floor,
      List<LiveTable> all,
      List<LiveTable> hidden)
      throws IOException {
    json.writeStringField("table", table);
    if (floor.isPresent()) {
      json.writeStringField("retention_floor", floor.get().toString());
    }
    json.writeNumberField("sstables", all.size());
    json.writeNumberField("sstables_below", hidden.size());
    json.writeNumberField("bytes_below", onDiskBytes(hidden));
  }
}
