package io.siltstone.tools;

import io.siltstone.bench.child.ChildJvm;
import io.siltstone.bench.experiment.Scale;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.tools.backup.BackupCommand;
import io.siltstone.tools.bench.BenchCommand;
import io.siltstone.tools.compact.CompactCommand;
import io.siltstone.tools.compact.ExplainCommand;
import io.siltstone.tools.compact.GarbageCollectCommand;
import io.siltstone.tools.compact.RecompressCommand;
import io.siltstone.tools.compact.RelevelCommand;
import io.siltstone.tools.compact.ScrubCommand;
import io.siltstone.tools.compact.SplitCommand;
import io.siltstone.tools.compact.TrainDictionaryCommand;
import io.siltstone.tools.compact.UpgradeSSTablesCommand;
import io.siltstone.tools.dump.DumpCommand;
import io.siltstone.tools.inspect.AdviseCommand;
import io.siltstone.tools.inspect.ExplainKeyCommand;
import io.siltstone.tools.inspect.InspectCommand;
import io.siltstone.tools.inspect.RetentionCommand;
import io.siltstone.tools.load.ExportCommand;
import io.siltstone.tools.load.LoadCommand;
import io.siltstone.tools.log.LogProvider;
import io.siltstone.tools.metadata.MetadataCommand;
import io.siltstone.tools.monitor.CompactionCommand;
import io.siltstone.tools.monitor.CompactionHistoryCommand;
import io.siltstone.tools.monitor.CompactionStatsCommand;
import io.siltstone.tools.monitor.InfoCommand;
import io.siltstone.tools.monitor.TableHistogramsCommand;
import io.siltstone.tools.monitor.TableStatsCommand;
import io.siltstone.tools.monitor.TopCommand;
import io.siltstone.tools.simulate.SimulateCommand;
import io.siltstone.tools.stress.StressCommand;
import io.siltstone.tools.terminal.CommandSet;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.FailureReporter;
import io.siltstone.tools.terminal.InterruptHandler;
import io.siltstone.tools.terminal.OutputException;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.ToolMemory;
import io.siltstone.tools.verify.RebuildCommand;
import io.siltstone.tools.verify.VerifyCommand;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * The main class of the command line {@code siltstone}, and the list of its commands. Without a
 * command it prints its help.
 *
 * <p>It holds no state beyond one run; several runs may take place in one JVM.
 */
@Command(
    name = "siltstone",
    description = "Reads, writes and checks Apache Cassandra SSTables.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    versionProvider = Versions.class)
public final class Siltstone implements Runnable {
  /**
   * The replacement character that Java puts where the locale cannot decode the bytes of an
   * argument.
   */
  private static final char UNKNOWN = '\uFFFD';

  private static final String VERBOSE = "--verbose";

  @Spec private CommandSpec spec;

  @Option(
      names = VERBOSE,
      scope = ScopeType.INHERIT,
      description = "Print the stack trace of an error.")
  private boolean verbose;

  private Siltstone() {}

  /** Runs a command on standard output and error, and ends the JVM with its exit code. */
  public static void main(String[] args) {
    // Not System.out: it has the console's encoding, and hides that the reader has closed the pipe.
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    OutputStream err = new FileOutputStream(FileDescriptor.err);
    if (Arrays.asList(args).contains(VERBOSE)) {
      // For what is logged before the options are parsed, and by other threads.
      System.setProperty(LogProvider.VERBOSE, "true");
    }
    System.exit(areText(args, Terminal.of(out, err)) ? run(args, out, err) : ExitCode.USAGE);
  }

  /**
   * Rejects arguments that the locale could not decode: they would name files and keys that do not
   * exist.
   */
  private static boolean areText(String[] args, Terminal terminal) {
    for (String argument : args) {
      if (argument.indexOf(UNKNOWN) >= 0) {
        terminal
            .err()
            .print(
                "siltstone: '"
                    + argument
                    + "' has bytes that are no text in this locale; use UTF-8, and LC_ALL=C.UTF-8\n");
        return false;
      }
    }
    return true;
  }

  /**
   * Runs a command.
   *
   * @param args as on the command line
   * @param out takes results
   * @param err takes errors, one line each, and progress
   * @return the exit code, see {@link ExitCode}
   */
  public static int run(String[] args, OutputStream out, OutputStream err) {
    try (ToolMemory memory = new ToolMemory()) {
      return run(args, out, err, memory);
    }
  }

  /**
   * Runs a command like {@link #run(String[], OutputStream, OutputStream)}, for callers that run
   * many.
   *
   * @param memory budget that tables are opened with; stays open
   */
  public static int run(
      String[] args, OutputStream out, OutputStream err, Supplier<MemoryBudget> memory) {
    // Stays open until failures have been reported.
    try (InterruptHandler interruption = new InterruptHandler()) {
      return run(args, out, err, memory, interruption);
    }
  }

  /**
   * Runs a command with the given interruption.
   *
   * @param interruption closed by the caller
   */
  static int run(
      String[] args,
      OutputStream out,
      OutputStream err,
      Supplier<MemoryBudget> memory,
      InterruptHandler interruption) {
    Terminal terminal = Terminal.of(out, err);
    Siltstone root = new Siltstone();
    FailureReporter failures = new FailureReporter(terminal, () -> root.verbose);
    Errors errors = new Errors(failures);
    CommandLine line = new CommandLine(root);
    commands(terminal, failures, memory, interruption).addTo(line, args);
    // Printed below, so that a full disk is also reported for help.
    StringWriter help = new StringWriter();
    line.addSubcommand(new HelpCommand())
        .addSubcommand(new GenerateCompletion())
        .setOut(new PrintWriter(help))
        .setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(Terminal.isInteractive())
        // A key may begin with @.
        .setExpandAtFiles(false)
        .registerConverter(Path.class, Siltstone::path)
        .registerConverter(int.class, ValueConverter.INTEGERS)
        .registerConverter(Integer.class, ValueConverter.INTEGERS)
        .registerConverter(long.class, ValueConverter.LONGS)
        .registerConverter(Long.class, ValueConverter.LONGS)
        .registerConverter(double.class, ValueConverter.DOUBLES)
        .registerConverter(boolean.class, ValueConverter.FLAGS)
        .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
        .setParameterExceptionHandler(errors)
        .setExecutionExceptionHandler(errors);
    int code;
    try {
      code = line.execute(args);
      terminal.out().print(help);
      terminal.out().flush();
    } catch (OutputException | Error e) {
      code = errors.report(e);
    }
    terminal.err().flush();
    return code;
  }

  /** Rejects an empty path, e.g. of an unset variable: it would mean the working directory. */
  private static Path path(String text) {
    if (text.isEmpty()) {
      throw new TypeConversionException("expected a path, found ''");
    }
    return Path.of(text);
  }

  private static CommandSet commands(
      Terminal terminal,
      FailureReporter failures,
      Supplier<MemoryBudget> memory,
      InterruptHandler interruption) {
    return new CommandSet()
        .add(
            "bench",
            () ->
                new BenchCommand(
                    terminal,
                    Versions.siltstone(),
                    new ChildJvm(System.getProperty("java.class.path"), List.of()),
                    Scale.SMALL))
        .add("backup", () -> BackupCommand.create(terminal))
        .add("dump", () -> new DumpCommand(terminal, memory, InstantSource.system()))
        .add("export", () -> new ExportCommand(terminal, interruption))
        .add("load", () -> new LoadCommand(terminal, interruption))
        .add(
            "metadata",
            () -> new MetadataCommand(terminal, memory, Clock.system(ZoneId.systemDefault())))
        .add("simulate", () -> new SimulateCommand(terminal))
        .add("stress", () -> new StressCommand(terminal, Versions.siltstone(), interruption))
        .add("verify", () -> new VerifyCommand(terminal, memory))
        .add("rebuild", () -> new RebuildCommand(terminal))
        .add("info", () -> new InfoCommand(terminal, memory, Versions.siltstone(), Versions.java()))
        .add("tablestats", () -> new TableStatsCommand(terminal, memory))
        .add("tablehistograms", () -> new TableHistogramsCommand(terminal, memory))
        .add("compactionstats", () -> new CompactionStatsCommand(terminal, memory))
        .add("compaction", () -> new CompactionCommand(terminal))
        .add("compactionhistory", () -> new CompactionHistoryCommand(terminal, memory))
        .add("top", () -> new TopCommand(terminal, memory, Terminal.isInteractive()))
        .add("compact", () -> new CompactCommand(terminal, failures, interruption))
        .add("recompress", () -> new RecompressCommand(terminal, failures, interruption))
        .add("train-dictionary", () -> new TrainDictionaryCommand(terminal, failures, interruption))
        .add("upgradesstables", () -> new UpgradeSSTablesCommand(terminal, failures, interruption))
        .add("scrub", () -> new ScrubCommand(terminal, failures, interruption))
        .add("garbagecollect", () -> new GarbageCollectCommand(terminal, failures, interruption))
        .add("relevel", () -> new RelevelCommand(terminal, failures, interruption))
        .add("split", () -> new SplitCommand(terminal, failures, interruption))
        .add("explain", () -> new ExplainCommand(terminal))
        .add("explain-key", () -> new ExplainKeyCommand(terminal, InstantSource.system()))
        .add("inspect", () -> new InspectCommand(terminal, memory, InstantSource.system()))
        .add("retention", () -> new RetentionCommand(terminal))
        .add("advise", () -> new AdviseCommand(terminal, memory, InstantSource.system()));
  }

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
