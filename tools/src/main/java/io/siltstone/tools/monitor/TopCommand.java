package io.siltstone.tools.monitor;

import io.siltstone.bench.report.JsonDocument;
import io.siltstone.jmx.TableMXBean;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.UsageException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code siltstone top}: prints the activity of databases periodically. */
@Command(
    name = "top",
    mixinStandardHelpOptions = true,
    description = {
      "Prints periodically what databases do: reads, writes, flushes and compactions of"
          + " each table, caches, memory.",
      "On a terminal the output stays in place; otherwise blocks follow each other.",
      "Latencies are means of the last interval; p99 is measured since the database was"
          + " opened.",
      "For files, prints SSTables and sizes."
    })
public final class TopCommand implements Callable<Integer> {
  private static final double LEAST_SECONDS = 0.1;
  private static final double MOST_SECONDS = 3600;

  // Cursor home; each line clears the rest of its line, and the end what is below.
  private static final String HOME = "\033[H";
  private static final String CLEAR_LINE = "\033[K";
  private static final String CLEAR_BELOW = "\033[J";

  private final Terminal terminal;
  private final boolean isTerminal;
  private final Map<String, TopSample> before = new HashMap<>();

  @Mixin private MonitorTargets places;

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      description = "Seconds between two samples, 0.1 to 3600 (default: ${DEFAULT-VALUE}).")
  private double interval = 2;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "Number of samples, 1 or more (default: until interrupted).")
  private long count = Long.MAX_VALUE;

  @Option(
      names = "--plain",
      description = "Print blocks that follow each other, even on a terminal.")
  private boolean isPlain;

  @Option(
      names = "--json",
      description = "Print one JSON document per sample, each on a line; sizes are bytes.")
  private boolean isJson;

  /**
   * Creates a command that prints to the terminal.
   *
   * @param memory budget that SSTables are opened with
   * @param isTerminal whether printed lines can be overwritten
   */
  public TopCommand(Terminal terminal, Supplier<MemoryBudget> memory, boolean isTerminal) {
    this.terminal = terminal;
    this.places = new MonitorTargets(terminal, memory);
    this.isTerminal = isTerminal;
  }

  @Override
  public Integer call() throws IOException {
    if (!(interval >= LEAST_SECONDS && interval <= MOST_SECONDS)) {
      throw new UsageException("--interval " + interval + ", allowed 0.1 to 3600");
    }
    if (count < 1) {
      throw new UsageException("--count " + count + ", allowed 1 or more");
    }
    if (places.isOfProcess()) {
      return places.look(
          all -> {
            for (long i = 0; i < count; i++) {
              pause(i);
              show(all);
            }
          });
    }
    int code = ExitCode.OK;
    for (long i = 0; i < count; i++) {
      pause(i);
      // Files are opened for each sample, because an open table does not see new files.
      code = Math.max(code, places.look(this::show));
    }
    return code;
  }

  private void pause(long round) throws IOException {
    if (round > 0) {
      try {
        Thread.sleep((long) (interval * 1000));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("stopped");
      }
    }
  }

  private void show(List<MonitoredDatabase> all) throws IOException {
    places.requireTables(all);
    List<String> lines = new ArrayList<>();
    List<TopView> views = new ArrayList<>();
    for (MonitoredDatabase each : all) {
      List<TableMXBean> tables = places.tables(each);
      TopSample now = TopSample.of(each, tables);
      TopView view = new TopView(each, before.getOrDefault(each.place(), now), now);
      before.put(each.place(), now);
      views.add(view);
    }
    if (isJson) {
      JsonDocument.writeLine(
          terminal.out(),
          json -> {
            json.writeStartObject();
            json.writeArrayFieldStart("places");
            for (TopView view : views) {
              view.write(json);
            }
            json.writeEndArray();
            json.writeEndObject();
          });
    } else {
      for (TopView view : views) {
        lines.addAll(view.lines());
        lines.add("");
      }
      print(lines);
    }
    terminal.out().flush();
  }

  private void print(List<String> lines) {
    if (!isTerminal || isPlain) {
      lines.forEach(terminal::line);
      return;
    }
    terminal.out().print(HOME);
    lines.forEach(line -> terminal.line(line + CLEAR_LINE));
    terminal.out().print(CLEAR_BELOW);
  }
}
