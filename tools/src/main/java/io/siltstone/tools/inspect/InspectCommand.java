package io.siltstone.tools.inspect;

import io.siltstone.bench.report.JsonDocument;
import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.offheap.MemoryBudget;
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
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
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
  private final Supplier<MemoryBudget> memory;
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

  @Option(
      names = "--compressors",
      description =
          "Also compress up to 8 MiB of the data with LZ4, Zstandard, and Zstandard with a"
              + " dictionary, in chunks of 4, 16 and 64 KiB. Not part of the page.")
  private boolean isTried;

  /**
   * Creates a command that prints to the terminal.
   *
   * @param memory that SSTables are opened with; stays open
   * @param clock decides what has expired
   */
  public InspectCommand(Terminal terminal, Supplier<MemoryBudget> memory, InstantSource clock) {
    this.terminal = terminal;
    this.memory = memory;
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
      List<CompressorTrial> compressors =
          isTried ? FactsGatherer.compressors(table, memory.get(), clock.millis()) : List.of();
      if (isJson) {
        JsonDocument.write(terminal.out(), json -> InspectJson.write(overview, compressors, json));
      } else if (page == null) {
        InspectText.print(overview, terminal);
        CompressorTrials.print(compressors, terminal);
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
}
