package io.siltstone.tools.inspect;

import io.siltstone.bench.report.JsonDocument;
import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.text.CountText;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.UsageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code siltstone inspect}: shows the SSTables of a table. */
@Command(
    name = "inspect",
    mixinStandardHelpOptions = true,
    description = {
      "Shows the SSTables of a table: levels, windows or sizes over the token range,"
          + " ages, tombstones, and how many SSTables cover each token.",
      "Opens the table for reading only, also while another process writes to it."
          + " Memtables are not shown."
    })
public final class InspectCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final InstantSource clock;

  @Mixin private InspectTarget target;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description =
          "Write a self-contained page with charts instead of the text; its name must end"
              + " in .html.")
  private @Nullable Path html;

  @Option(names = "--json", description = "Print one JSON document instead of the text.")
  private boolean isJson;

  /**
   * Creates a command that prints to the terminal.
   *
   * @param clock decides what has expired
   */
  public InspectCommand(Terminal terminal, InstantSource clock) {
    this.terminal = terminal;
    this.target = new InspectTarget(terminal);
    this.clock = clock;
  }

  @Override
  public Integer call() throws IOException {
    if (html != null) {
      requireNoOther(html);
    }
    try (InspectedTable table = target.open()) {
      SSTablesOverview overview = SSTablesOverview.of(table, clock.millis());
      Path page = html;
      if (page != null) {
        write(page, InspectPage.of(overview, table.damaged()));
        String written = page + ": " + CountText.of(overview.files().size(), "SSTable");
        if (isJson) {
          // Standard output contains only the JSON document.
          terminal.err().println(written);
        } else {
          terminal.line(written);
        }
      }
      if (isJson) {
        printJson(overview);
      } else if (page == null) {
        InspectText.print(overview, terminal);
      }
      return table.damaged().isEmpty() ? ExitCode.OK : ExitCode.DAMAGED;
    }
  }

  /** Rejects a path that is neither a page nor, like a pipe, no regular file. */
  private static void requireNoOther(Path page) {
    if (Files.isDirectory(page)) {
      throw new UsageException("--html " + page + ": is a directory");
    }
    String name = String.valueOf(page.getFileName());
    boolean isPage = name.endsWith(".html") || name.endsWith(".htm");
    boolean isOther = Files.exists(page) && !Files.isRegularFile(page);
    if (!isPage && !isOther) {
      // Any other name could be that of a file of a database.
      throw new UsageException("--html " + page + ": the name must end in .html");
    }
  }

  /** Writes the page atomically: after a failure, the previous file is still there. */
  private static void write(Path page, String text) throws IOException {
    if (Files.exists(page) && !Files.isRegularFile(page)) {
      try {
        Files.writeString(page, text);
      } catch (FileSystemException e) {
        throw e;
      } catch (IOException e) {
        // The system's message for a failed write does not name the file.
        throw new IOException(page + " cannot be written: " + e.getMessage(), e);
      }
      return;
    }
    // Follow a symbolic link, so that it stays one.
    Path target = (Files.exists(page) ? page.toRealPath() : page).toAbsolutePath();
    Directory directory = NioDirectory.openExisting(Objects.requireNonNull(target.getParent()));
    String name = String.valueOf(target.getFileName());
    String whole = name + ".tmp";
    // An existing file of this name belongs to another process, and is not overwritten.
    WritableFile file = directory.create(whole, WriteIntent.OTHER);
    try {
      try (file) {
        file.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
      }
      directory.rename(whole, name);
    } catch (Throwable e) {
      directory.delete(whole);
      throw e;
    }
  }

  private void printJson(SSTablesOverview overview) throws IOException {
    JsonDocument.write(terminal.out(), json -> InspectJson.write(overview, json));
  }
}
