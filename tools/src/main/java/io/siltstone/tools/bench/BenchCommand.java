package io.siltstone.tools.bench;

import com.fasterxml.jackson.core.JsonGenerator;
import io.siltstone.bench.child.ChildJvm;
import io.siltstone.bench.experiment.Experiment;
import io.siltstone.bench.experiment.Experiments;
import io.siltstone.bench.experiment.OtherEngines;
import io.siltstone.bench.experiment.Scale;
import io.siltstone.bench.experiment.Setting;
import io.siltstone.bench.experiment.UnknownEngineException;
import io.siltstone.bench.report.JsonDocument;
import io.siltstone.bench.report.Machine;
import io.siltstone.bench.report.Report;
import io.siltstone.bench.volume.Kernel;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.OutputDirectory;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code siltstone bench}: the published experiments on this machine. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Reproduces a published experiment on this machine and says what it shows, with charts and"
          + " the published figures beside those measured here. 'siltstone bench list' tells which"
          + " there are.",
      "An experiment takes minutes, and with --full up to hours. Its figures mean something only if"
          + " the machine does nothing else meanwhile. Each measured part runs in a JVM of its own."
          + " The limits of a volume and of memory are set by control groups where this user may,"
          + " and undone at the end; what was used instead is told in the report."
    })
public final class BenchCommand implements Callable<Integer> {
  private static final int MOST_ROUNDS = 100;
  private static final String LIST = "list";

  private final Terminal terminal;
  private final String version;
  private final ChildJvm jvm;
  private final Scale usual;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "EXPERIMENT",
      description =
          "chunk-length, read-ahead, direct-io, wide-partition, strategies, peers or compaction; or"
              + " list, which tells what each shows.")
  private String name = "";

  @Option(names = "--full", description = "In full size; default is a small one, of minutes.")
  private boolean isFull;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description =
          "How often everything is measured, for medians: 1 to 100; default depends on the"
              + " experiment and is 1 to 5.")
  private @Nullable Integer rounds;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description =
          "Where report.md with its charts, report.html and report.json are written; default is"
              + " nowhere.")
  private @Nullable Path output;

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      defaultValue = ".",
      description =
          "On the disk to be measured, with room for the data: gigabytes, with --full some tens."
              + " The data is removed at the end. Default is the current directory.")
  private Path directory = Path.of(".");

  @Option(
      names = "--peers",
      paramLabel = "DIR",
      description =
          "For peers and compaction: the target directory of the module bench-peers once it is"
              + " packaged, for compaction with libraries of Cassandra in cassandra/VERSION; the"
              + " script siltstone sees to all of it.")
  private @Nullable Path peers;

  @Option(
      names = "--beside",
      paramLabel = "ENGINE",
      split = ",",
      description =
          "For peers: only these, as RocksDB,Cassandra; default is all. For compaction: these"
              + " versions of Cassandra, as 5.0.9,6.0-alpha2, which is the default. Siltstone takes"
              + " part always.")
  private Set<String> beside = Set.of();

  @Option(
      names = "--json",
      description = "Prints the report, or list, as one JSON document instead of text.")
  private boolean isJson;

  /**
   * Prints to a terminal.
   *
   * @param version of this build, for the report
   * @param jvm of the measured parts
   * @param usual how large experiments are without {@code --full}
   */
  public BenchCommand(Terminal terminal, String version, ChildJvm jvm, Scale usual) {
    this.terminal = terminal;
    this.version = version;
    this.jvm = jvm;
    this.usual = usual;
  }

  @Override
  public Integer call() throws IOException {
    if (name.equals(LIST)) {
      list();
      return ExitCode.OK;
    }
    Experiment experiment =
        Experiments.named(name)
            .orElseThrow(
                () ->
                    new UsageException(
                        "there is no experiment "
                            + name
                            + ", allowed "
                            + String.join(
                                ", ", Experiments.all().stream().map(Experiment::name).toList())
                            + ", and list"));
    boolean needsPeers = !experiment.peerDirectories().isEmpty();
    if (!beside.isEmpty() && !needsPeers) {
      throw new UsageException("--beside is for peers and compaction, and not for " + name);
    }
    if (rounds != null && (rounds < 1 || rounds > MOST_ROUNDS)) {
      throw new UsageException("--rounds = " + rounds + ", allowed 1 to " + MOST_ROUNDS);
    }
    if (!Files.isDirectory(directory)) {
      throw new UsageException("--directory = " + directory + " is not a directory");
    }
    if (output != null) {
      // Not after hours of measuring.
      OutputDirectory.make(output);
    }
    Setting setting =
        new Setting(
            directory.toRealPath(),
            isFull ? Scale.FULL : usual,
            rounds == null ? OptionalInt.empty() : OptionalInt.of(rounds),
            jvm,
            needsPeers ? Optional.of(otherEngines(experiment)) : Optional.empty(),
            Kernel.MACHINE,
            Machine.of(directory, version, command()),
            line -> terminal.err().print(line + "\n"));
    experiment.changes().forEach(change -> terminal.err().print(change + "\n"));
    try {
      print(experiment.run(setting));
    } catch (UnknownEngineException e) {
      throw new UsageException("--beside: " + e.getMessage(), e);
    }
    return ExitCode.OK;
  }

  private void list() throws IOException {
    if (!isJson) {
      for (Experiment experiment : Experiments.all()) {
        terminal.format("%-15s %s", experiment.name(), experiment.description());
      }
      return;
    }
    JsonDocument.write(terminal.out(), BenchCommand::write);
  }

  private static void write(JsonGenerator json) throws IOException {
    json.writeStartArray();
    for (Experiment experiment : Experiments.all()) {
      json.writeStartObject();
      json.writeStringField("name", experiment.name());
      json.writeStringField("description", experiment.description());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private List<String> command() {
    List<String> words = new ArrayList<>(List.of("siltstone"));
    words.addAll(spec.root().commandLine().getParseResult().originalArgs());
    return words;
  }

  private OtherEngines otherEngines(Experiment experiment) throws IOException {
    if (peers == null) {
      throw new UsageException(
          name
              + " needs other engines: run it by the script siltstone, which builds them and says"
              + " where they are with --peers");
    }
    for (String part : experiment.peerDirectories()) {
      if (!Files.isDirectory(peers.resolve(part))) {
        throw new UsageException(
            "--peers = " + peers + " has no " + part + ", which the script siltstone makes");
      }
    }
    return OtherEngines.in(peers, beside);
  }

  private void print(Report report) throws IOException {
    if (isJson) {
      report.writeJson(terminal.out());
    } else {
      // A terminal shows no images.
      report.withoutCharts().markdown().lines().forEach(terminal::line);
    }
    terminal.out().flush();
    if (output != null) {
      report.write(output);
      terminal.err().print("the report is in " + output + "\n");
    }
  }
}
