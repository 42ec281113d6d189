package io.siltstone.tools.backup;

import io.siltstone.tools.terminal.Terminal;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code siltstone backup}: incremental backups of databases in a directory. */
@Command(
    name = "backup",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "ACTION",
    description = {
      "Makes, lists, verifies, prunes and restores backups of databases in a directory, which has"
          + " each file once, however many backups it is part of.",
      "A database that a program has open is backed up by the program, with the class Backups."
    })
public final class BackupCommand implements Runnable {
  @Spec private CommandSpec spec;

  private BackupCommand() {}

  /** Creates the command with its actions, which print to the terminal. */
  public static CommandLine create(Terminal terminal) {
    return new CommandLine(new BackupCommand())
        .addSubcommand(new CreateCommand(terminal))
        .addSubcommand(new ListCommand(terminal))
        .addSubcommand(new VerifyBackupCommand(terminal))
        .addSubcommand(new PruneCommand(terminal))
        .addSubcommand(new DeleteCommand(terminal))
        .addSubcommand(new RestoreCommand(terminal));
  }

  /** Prints the help if no action is given. */
  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
