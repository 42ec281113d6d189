package io.siltstone.tools.inspect;

import io.siltstone.bench.report.JsonDocument;
import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
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

/** {@code siltstone inspect}. */
@Command(
    name = "inspect",
    mixinStandardHelpOptions = true,
    description = {
      "Shows a table's files: levels, windows or sizes over the range of tokens, ages, tombstones,"
          + " and how many SSTables cover each token.",
      "Opens for reading only, beside whoever writes. What is in memory is not shown."
    })
public final class InspectCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final InstantSource clock;

  @Mixin private InspectTarget target;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description =
          "Write a page with charts, which needs nothing else, in place of the text; its name ends"
              + " in .html.")
  private @Nullable Path html;

  @Option(names = "--json", description = "Print one JSON document in place of the text.")
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
      FilesOverview overview =
          FilesOverview.of(
              table.table().toString(), table.schema(), table.table().live(), clock.millis());
      Path page = html;
      if (page != null) {
        write(page, InspectPage.of(overview, table.damaged()));
        String written = page + ": " + overview.files().size() + " SSTables";
        if (isJson) {
          // What is printed is one document.
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

  /** A page, or what is no file, such as a pipe. */
  private static void requireNoOther(Path page) {
    if (Files.isDirectory(page)) {
      throw new UsageException("--html " + page + ": that is a directory");
    }
    String name = String.valueOf(page.getFileName());
    boolean isPage = name.endsWith(".html") || name.endsWith(".htm");
    boolean isOther = Files.exists(page) && !Files.isRegularFile(page);
    if (!isPage && !isOther) {
      // It could be the name of anything that a database has, or will have.
      throw new UsageException("--html " + page + ": the name of a page ends in .html");
    }
  }

  /** A file is there whole or, as it was before, not at all. */
  private static void write(Path page, String text) throws IOException {
    if (Files.exists(page) && !Files.isRegularFile(page)) {
      try {
        Files.writeString(page, text);
      } catch (FileSystemException e) {
        throw e;
      } catch (IOException e) {
        // What the system says of a failed write has no name.
        throw new IOException(page + " cannot be written: " + e.getMessage(), e);
      }
      return;
    }
    // A link stays one.
    Path target = (Files.exists(page) ? page.toRealPath() : page).toAbsolutePath();
    Directory directory = NioDirectory.openExisting(Objects.requireNonNull(target.getParent()));
    String name = String.valueOf(target.getFileName());
    String whole = name + ".tmp";
    // One of this name that is there is somebody else's, and refused.
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

  private void printJson(FilesOverview overview) throws IOException {
    JsonDocument.write(terminal.out(), json -> InspectJson.write(overview, json));
  }
}
