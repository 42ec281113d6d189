package io.siltstone.tools.bench;

import com.fasterxml.jackson.core.JsonGenerator;
import io.siltstone.bench.child.ChildJvm;
import io.siltstone.bench.experiment.Experiment;
import io.siltstone.bench.experiment.ExperimentSetting;
import io.siltstone.bench.experiment.Experiments;
import io.siltstone.bench.experiment.OtherEngines;
import io.siltstone.bench.experiment.Scale;
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

/** The command {@code siltstone bench}: runs the published experiments on this machine. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Reproduces a published experiment on this machine and reports what it shows, with"
          + " charts, and with the published figures beside those measured here. 'siltstone"
          + " bench list' prints the experiments.",
      "An experiment takes minutes, and with --full up to hours. Its figures are"
          + " meaningful only if the machine does nothing else meanwhile. Each part is measured"
          + " in its own JVM. The limits of a volume and of memory are set by control groups"
          + " where the user may, and removed at the end; the report says what was used instead."
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
          "chunk-length, read-ahead, direct-io, wide-partition, strategies, peers, load,"
              + " compaction, index or state-store; or list, which prints what each shows.")
  private String name = "";

  @Option(
      names = "--full",
      description = "Run in full size; default is a small size, which takes minutes.")
  private boolean isFull;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description =
          "Number of measurements, of which the median is reported: 1 to 100; default"
              + " depends on the experiment and is 1 to 5.")
  private @Nullable Integer rounds;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description =
          "Directory for report.md with its charts, report.html and report.json; default"
              + " none.")
  private @Nullable Path output;

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      defaultValue = ".",
      description =
          "Directory on the disk to be measured, with room for the data: gigabytes, with"
              + " --full some tens. The data is removed at the end. Default is the current"
              + " directory.")
  private Path directory = Path.of(".");

  @Option(
      names = "--peers",
      paramLabel = "DIR",
      description =
          "For peers, load, compaction and index: the target directory of the packaged module"
              + " bench-peers, for the latter two with libraries of Cassandra in"
              + " cassandra/VERSION; for state-store that of kafka-bench. The script siltstone"
              + " prepares them.")
  private @Nullable Path peers;

  @Option(
      names = "--beside",
      paramLabel = "ENGINE",
      split = ",",
      description =
          "For peers and load: only these engines, e.g. RocksDB,Cassandra; default is all. For"
              + " compaction: these versions of Cassandra, default 5.0.9,6.0-alpha2; for index"
              + " likewise, default 5.0.9. state-store is beside RocksDB only. Siltstone always"
              + " takes part.")
  private Set<String> beside = Set.of();

  @Option(
      names = "--json",
      description = "Print the report, or list, as one JSON document instead of text.")
  private boolean isJson;

  /**
   * Creates a command that prints to the terminal.
   *
   * @param version of this build, for the report
   * @param jvm of the measured parts
   * @param usual size of experiments without {@code --full}
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
      throw new UsageException(
          "--beside is for peers, load, compaction, index and state-store, not for " + name);
    }
    if (rounds != null && (rounds < 1 || rounds > MOST_ROUNDS)) {
      throw new UsageException("--rounds = " + rounds + ", allowed 1 to " + MOST_ROUNDS);
    }
    if (!Files.isDirectory(directory)) {
      throw new UsageException("--directory = " + directory + " is not a directory");
    }
    if (output != null) {
      // Before hours of measuring.
      OutputDirectory.make(output);
    }
    ExperimentSetting setting =
        new ExperimentSetting(
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
              + " needs other engines: run it with the script siltstone, which builds them"
              + " and passes --peers");
    }
    for (String part : experiment.peerDirectories()) {
      if (!Files.isDirectory(peers.resolve(part))) {
        throw new UsageException(
            "--peers = " + peers + " has no " + part + ", which the script siltstone builds");
      }
    }
    return OtherEngines.in(peers, beside);
  }

  private void print(Report report) throws IOException {
    if (isJson) {
      report.writeJson(terminal.out());
    } else {
      // A terminal cannot show images.
      report.withoutCharts().markdown().lines().forEach(terminal::line);
    }
    terminal.out().flush();
    if (output != null) {
      report.write(output);
      terminal.err().print("the report is in " + output + "\n");
    }
  }
}
