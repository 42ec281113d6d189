package io.siltstone.tools.monitor;

import com.fasterxml.jackson.core.JsonGenerator;
import io.siltstone.bench.report.JsonDocument;
import io.siltstone.compaction.throttle.RateLimiter;
import io.siltstone.jmx.CompactionMXBean;
import io.siltstone.tools.process.ProcessOption;
import io.siltstone.tools.terminal.Figures;
import io.siltstone.tools.terminal.Terminal;
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

/** {@code siltstone compaction}: what an operator may ask of the compaction of a process. */
@Command(
    name = "compaction",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "ACTION",
    description = {
      "Pauses, resumes and cancels the compactions of a running process, named by --pid or --jmx,"
          + " and changes how much they may read a second.",
      "What is at work tells compactionstats. Compactions of a directory by a command of their own,"
          + " such as compact, are none of these: end that command, and nothing is lost."
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

  /** Without an action: tells which there are. */
  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  /** What is done with one database's compaction. */
  @FunctionalInterface
  private interface Action {
    /** Returns what is to be told of it. */
    String on(CompactionMXBean compaction);
  }

  @Command(
      name = "pause",
      mixinStandardHelpOptions = true,
      description = {
        "Has all jobs wait where they are, and begins none that nobody asks for, until resume.",
        "What the program asks for is among the jobs, and waits before it reads anything."
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

  @Command(
      name = "resume",
      mixinStandardHelpOptions = true,
      description = "Goes on with jobs that were paused.")
  int resume(
      @Mixin ProcessOption process, @Option(names = "--json", description = JSON) boolean isJson)
      throws IOException {
    return forEach(
        process,
        isJson,
        compaction -> {
          compaction.resume();
          return "goes on, " + atWork(compaction);
        });
  }

  @Command(
      name = "throughput",
      mixinStandardHelpOptions = true,
      description =
          "Prints what all jobs together may read a second, after a change if SIZE is given.")
  int throughput(
      @Mixin ProcessOption process,
      @Option(names = "--json", description = JSON) boolean isJson,
      @Parameters(
              paramLabel = "SIZE",
              arity = "0..1",
              description = "Such as 64MiB, 0 for no limit. Holds until the process ends.")
          @Nullable String size)
      throws IOException {
    long wanted = size == null ? 0 : Figures.parseBytes("SIZE", size);
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
        "Ends jobs; their inputs stay as they are, and nothing is left of what was written.",
        "What the strategy still wants done begins again; pause before to keep it from that."
      })
  int cancel(
      @Mixin ProcessOption process,
      @Option(names = "--json", description = "Print one JSON document.") boolean isJson,
      @Option(names = "--all", description = "All jobs at work.") boolean isAll,
      @Parameters(paramLabel = "ID", arity = "0..*", description = "As compactionstats shows them.")
          @Nullable List<String> ids)
      throws IOException {
    List<String> asked = ids == null ? List.of() : ids;
    if (asked.isEmpty() != isAll) {
      throw new UsageException("name either jobs or --all");
    }
    return at(process, all -> cancel(all, asked, isJson));
  }

  private void cancel(List<Observed> all, List<String> asked, boolean isJson) throws IOException {
    Map<String, CompactionMXBean> running = new LinkedHashMap<>();
    for (Observed each : all) {
      CompactionMXBean compaction = compaction(each);
      compaction.getRunning().forEach(job -> running.put(job.getId(), compaction));
    }
    for (String id : asked) {
      if (!running.containsKey(id)) {
        throw new UsageException("there is no job " + id + ", at work are " + running.keySet());
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
      terminal.line("no job is at work");
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
          for (Observed each : all) {
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

  private static int at(ProcessOption process, Places.Look look) throws IOException {
    if (process.count() != 1) {
      throw new UsageException("name either --pid or --jmx");
    }
    return Places.lookAt(process, look);
  }

  private static CompactionMXBean compaction(Observed database) {
    return database
        .compaction()
        .orElseThrow(
            () ->
                new UsageException(
                    "the process registered no compaction service with " + database.place()));
  }

  private static String atWork(CompactionMXBean compaction) {
    int jobs = compaction.getRunning().size();
    return jobs + (jobs == 1 ? " job" : " jobs") + " at work";
  }
}
