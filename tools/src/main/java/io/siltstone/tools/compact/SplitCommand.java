package io.siltstone.tools.compact;

import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.ring.TokenRing;
import io.siltstone.tools.terminal.FailureReporter;
import io.siltstone.tools.terminal.InterruptHandler;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.TextOption;
import io.siltstone.tools.terminal.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code siltstone split}: splits SSTables by size or by token ranges. */
@Command(
    name = "split",
    description = {
      "Splits each SSTable that is larger than a size into several of about that size.",
      "With --ranges or --ring it splits SSTables at the bounds of token ranges instead, so that"
          + " each SSTable lies within one range: a node imports only files whose partitions are"
          + " all its own."
    })
public final class SplitCommand extends MaintenanceCommand {
  private static final String SIZE = "--size";
  private static final String RANGES = "--ranges";
  private static final String RING = "--ring";
  private static final String OUTPUT = "--output";
  private static final int DEFAULT_MIB = 50;

  @Option(
      names = {"-s", SIZE},
      paramLabel = "MiB",
      description =
          "Approximate greatest size of a data file in MiB, 1 or more (default: "
              + DEFAULT_MIB
              + ").")
  private @Nullable Integer mib;

  @Option(
      names = RANGES,
      paramLabel = "RANGES",
      description =
          "Token ranges START:END,START:END,...; a range begins after START and ends with END.")
  private @Nullable String ranges;

  @Option(
      names = RING,
      paramLabel = "FILE",
      description =
          "A file with what 'nodetool describering KEYSPACE' or 'nodetool ring' has printed. The"
              + " latter has no replicas.")
  private @Nullable Path ring;

  @Option(
      names = OUTPUT,
      paramLabel = "DIR",
      description =
          "With --ring, a new directory that gets NODE/KEYSPACE/TABLE for each node, with links to"
              + " the SSTables that the node owns.")
  private @Nullable Path output;

  private @Nullable NodeDirectories nodes;

  /** Creates the command; see {@link MaintenanceCommand}. */
  public SplitCommand(Terminal terminal, FailureReporter failures, InterruptHandler interruption) {
    super(terminal, failures, interruption);
  }

  @Override
  CompactionRequest request(OpenTable table) throws IOException {
    requireOne();
    CompactionRequest request = CompactionRequest.of(Operation.SPLIT);
    String listed = ranges;
    if (listed != null) {
      return request.withSplitTokens(parsed(() -> TokenRing.ofRanges(RANGES, listed)).bounds());
    }
    Path given = ring;
    if (given != null) {
      String text = TextOption.read(RING, given);
      TokenRing parsed = parsed(() -> TokenRing.parse(given.toString(), text));
      if (output != null) {
        nodes = new NodeDirectories(parsed, output);
        nodes.requireUsable(table);
      }
      return request.withSplitTokens(parsed.bounds());
    }
    int size = mib == null ? DEFAULT_MIB : mib;
    if (size < 1) {
      throw new UsageException(SIZE + " = " + size + ", allowed 1 MiB or more");
    }
    return request.withOutputBytes((long) size << 20);
  }

  private static TokenRing parsed(Supplier<TokenRing> text) {
    try {
      return text.get();
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }

  private void requireOne() {
    int given = (mib == null ? 0 : 1) + (ranges == null ? 0 : 1) + (ring == null ? 0 : 1);
    if (given > 1) {
      throw new UsageException("allowed is one of " + SIZE + ", " + RANGES + " and " + RING);
    }
    if (output != null && ring == null) {
      throw new UsageException(OUTPUT + " needs " + RING + ", which says the nodes");
    }
  }

  @Override
  List<String> afterwards(OpenTable table) throws IOException {
    return nodes == null ? List.of() : nodes.write(table);
  }
}
