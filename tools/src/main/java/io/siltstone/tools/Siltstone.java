package io.siltstone.tools;

import io.siltstone.tools.load.ExportCommand;
import io.siltstone.tools.load.LoadCommand;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.OutputException;
import io.siltstone.tools.terminal.Terminal;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The command {@code siltstone}, without a subcommand: prints what commands there are.
 *
 * <p>Holds no state beyond one run; several may run in one JVM.
 */
@Command(
    name = "siltstone",
    description = "Reads, writes and checks Apache Cassandra SSTables.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    versionProvider = Versions.class)
public final class Siltstone implements Runnable {
  @Spec private CommandSpec spec;

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "With an error, print the stack trace.")
  private boolean verbose;

  private Siltstone() {}

  /** Runs a command on standard output and error, and ends the JVM with its exit code. */
  public static void main(String[] args) {
    // Not System.out: its encoding is the console's, and it hides that its reader has gone.
    System.exit(
        run(
            args,
            new FileOutputStream(FileDescriptor.out),
            new FileOutputStream(FileDescriptor.err)));
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
    Terminal terminal = Terminal.of(out, err);
    Siltstone root = new Siltstone();
    Errors errors = new Errors(terminal, () -> root.verbose);
    CommandLine commands = new CommandLine(root);
    register(commands, terminal);
    commands
        .setOut(new PrintWriter(terminal.out(), false, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(false)
        .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
        .setParameterExceptionHandler(errors)
        .setExecutionExceptionHandler(errors);
    int code;
    try {
      code = commands.execute(args);
      commands.getOut().flush();
      terminal.out().flush();
    } catch (OutputException e) {
      code = errors.report(e);
    }
    terminal.err().flush();
    return code;
  }

  private static void register(CommandLine commands, Terminal terminal) {
    commands.addSubcommand(new InfoCommand(terminal));
    commands.addSubcommand(new LoadCommand(terminal));
    commands.addSubcommand(new ExportCommand(terminal));
  }

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
