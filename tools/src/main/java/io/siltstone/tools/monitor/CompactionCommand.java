package io.siltstone.tools.monitor;

import com.fasterxml.jackson.core.JsonGenerator;
import io.siltstone.bench.report.JsonDocument;
import io.siltstone.compaction.throttle.RateLimiter;
import io.siltstone.jmx.CompactionMXBean;
import io.siltstone.text.CountText;
import io.siltstone.tools.process.ProcessOption;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.Units;
import io.siltstone.tools.terminal.UsageException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code siltstone compaction}: controls the compaction of a running process. */
@Command(
    name = "compaction",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "ACTION",
    description = {
      "Pauses, resumes and cancels the compactions of a running process, named by --pid or --jmx,"
          + " and changes how much they may read a second.",
      "compactionstats lists them. Compactions by commands such as compact are not among"
          + " them: end such a command to cancel it; nothing is lost."
    })
public final class CompactionCommand implements Runnable {
  private static final double MIB = 1 << 20;
  private static final String JSON = "Print one JSON document; throughput is bytes.";

  private final Terminal terminal;

  @Spec private CommandSpec spec;

  /** Prints to the terminal. */
  public CompactionCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Prints the help if no action is given. */
  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  /** An action on the compaction of one database. */
  @FunctionalInterface
  private interface Action {
    /** Returns the message that is printed. */
    String on(CompactionMXBean compaction);
  }

  @Command(
      name = "pause",
      mixinStandardHelpOptions = true,
      description = {
        "Pauses all jobs, and starts no more of those that the strategies choose, until"
            + " resume.",
        "Jobs that the program requests are started, and wait before they read anything."
      })
  int pause(
      @Mixin ProcessOption process, @Option(names = "--json", description = JSON) boolean isJson)
      throws IOException {
    return forEach(
        process,
        isJson,
        compaction -> {
          compaction.pause();
          return "paused, " + atWork(compaction);
        });
  }

  @Command(name = "resume", mixinStandardHelpOptions = true, description = "Resumes paused jobs.")
  int resume(
      @Mixin ProcessOption process, @Option(names = "--json", description = JSON) boolean isJson)
      throws IOException {
    return forEach(
        process,
        isJson,
        compaction -> {
          compaction.resume();
          return "resumed, " + atWork(compaction);
        });
  }

  @Command(
      name = "throughput",
      mixinStandardHelpOptions = true,
      description =
          "Prints the limit on what all jobs together read per second, after setting it"
              + " if SIZE is given.")
  int throughput(
      @Mixin ProcessOption process,
      @Option(names = "--json", description = JSON) boolean isJson,
      @Parameters(
              paramLabel = "SIZE",
              arity = "0..1",
              description = "Such as 64MiB, 0 for no limit. Valid until the process ends.")
          @Nullable String size)
      throws IOException {
    long wanted = size == null ? 0 : Units.parseBytes("SIZE", size);
    if (size != null) {
      UsageException.require(RateLimiter.isAllowed(wanted), "SIZE", size, RateLimiter.ALLOWED);
    }
    return forEach(
        process,
        isJson,
        compaction -> {
          if (size != null) {
            compaction.setBytesPerSecond(wanted);
          }
          long limit = compaction.getBytesPerSecond();
          return limit == 0 ? "no limit" : String.format(Locale.ROOT, "%.1f MiB/s", limit / MIB);
        });
  }

  @Command(
      name = "cancel",
      mixinStandardHelpOptions = true,
      description = {
        "Cancels jobs; their inputs stay as they are, and their outputs are removed.",
        "The strategy will start its jobs again; pause first to prevent that."
      })
  int cancel(
      @Mixin ProcessOption process,
      @Option(names = "--json", description = "Print one JSON document.") boolean isJson,
      @Option(names = "--all", description = "Cancel all running jobs.") boolean isAll,
      @Parameters(
              paramLabel = "ID",
              arity = "0..*",
              description = "IDs as compactionstats prints them.")
          @Nullable List<String> ids)
      throws IOException {
    List<String> asked = ids == null ? List.of() : ids;
    if (asked.isEmpty() != isAll) {
      throw new UsageException("name either jobs or --all");
    }
    return at(process, all -> cancel(all, asked, isJson));
  }

  private void cancel(List<MonitoredDatabase> all, List<String> asked, boolean isJson)
      throws IOException {
    Map<String, CompactionMXBean> running = new LinkedHashMap<>();
    for (MonitoredDatabase each : all) {
      CompactionMXBean compaction = compaction(each);
      compaction.getRunning().forEach(job -> running.put(job.getId(), compaction));
    }
    for (String id : asked) {
      if (!running.containsKey(id)) {
        throw new UsageException("there is no job " + id + ", running are " + running.keySet());
      }
    }
    List<String> jobs = asked.isEmpty() ? List.copyOf(running.keySet()) : asked;
    Map<String, Boolean> cancelled = new LinkedHashMap<>();
    for (String id : jobs) {
      cancelled.put(id, Objects.requireNonNull(running.get(id)).cancel(id));
    }
    if (isJson) {
      JsonDocument.writeObject(terminal.out(), json -> writeJobs(json, cancelled));
      return;
    }
    cancelled.forEach(
        (id, isCancelled) -> terminal.line(id + ": " + (isCancelled ? "cancelled" : "had ended")));
    if (jobs.isEmpty()) {
      terminal.line("no job is running");
    }
  }

  private static void writeJobs(JsonGenerator json, Map<String, Boolean> cancelled)
      throws IOException {
    json.writeArrayFieldStart("jobs");
    for (Map.Entry<String, Boolean> each : cancelled.entrySet()) {
      json.writeStartObject();
      json.writeStringField("id", each.getKey());
      json.writeBooleanField("cancelled", each.getValue());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private int forEach(ProcessOption process, boolean isJson, Action action) throws IOException {
    return at(
        process,
        all -> {
          Map<String, CompactionMXBean> done = new LinkedHashMap<>();
          for (MonitoredDatabase each : all) {
            CompactionMXBean compaction = compaction(each);
            String told = action.on(compaction);
            done.put(each.place(), compaction);
            if (!isJson) {
              terminal.line(each.place() + ": " + told);
            }
          }
          if (isJson) {
            JsonDocument.writeObject(terminal.out(), json -> writePlaces(json, done));
          }
        });
  }

  private static void writePlaces(JsonGenerator json, Map<String, CompactionMXBean> places)
      throws IOException {
    json.writeArrayFieldStart("places");
    for (Map.Entry<String, CompactionMXBean> each : places.entrySet()) {
      CompactionMXBean compaction = each.getValue();
      json.writeStartObject();
      json.writeStringField("place", each.getKey());
      json.writeNumberField(
          "compaction_throughput_bytes_per_second", compaction.getBytesPerSecond());
      json.writeBooleanField("paused", compaction.isPaused());
      json.writeNumberField("jobs_at_work", compaction.getRunning().size());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static int at(ProcessOption process, MonitorTargets.Look look) throws IOException {
    if (process.count() != 1) {
      throw new UsageException("name either --pid or --jmx");
    }
    return MonitorTargets.lookAt(process, look);
  }

  private static CompactionMXBean compaction(MonitoredDatabase database) {
    return database
        .compaction()
        .orElseThrow(
            () ->
                new UsageException(
                    "the process registered no compaction service with " + database.place()));
  }

  private static String atWork(CompactionMXBean compaction) {
    int jobs = compaction.getRunning().size();
    return CountText.of(jobs, "job") + " running";
  }
}
