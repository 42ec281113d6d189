package io.siltstone.tools.compact;

import io.siltstone.compaction.CompactionService;
import io.siltstone.compaction.strategy.Job;
import io.siltstone.compaction.strategy.Plan;
import io.siltstone.schema.TableOptions;
import io.siltstone.spi.LiveTable;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.Terminal;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code siltstone explain}. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    description = {
      "Says which SSTables the table's compaction strategy would merge next, and why, or why none.",
      "Merges nothing; but a database is opened for it, which flushes what its log has."
    })
final class ExplainCommand implements Callable<Integer> {
  private static final double MB = 1_000_000;

  private final Terminal terminal;

  @Mixin private Target target = new Target();

  @Option(
      names = "--strategies",
      description = "Also what each other strategy would do, with its default options.")
  private boolean isForAll;

  ExplainCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    CompactionService service = target.service();
    // A database is opened by its own compaction: it must not begin what is only asked about.
    service.pause();
    try (OpenTable table = target.open(service, true)) {
      terminal.format(
          "%s: %d %s, %.1f MB",
          table.id(),
          table.live().tables().size(),
          table.live().tables().size() == 1 ? "SSTable" : "SSTables",
          table.live().onDiskBytes() / MB);
      Map<String, String> own = table.schema().options().compaction();
      print(table.schema().options().compactionStrategy() + " " + own, service.explain(table.id()));
      if (isForAll) {
        for (String name : TableOptions.COMPACTION_STRATEGIES) {
          if (!name.equals(table.schema().options().compactionStrategy())) {
            Map<String, String> others = new LinkedHashMap<>();
            others.put("class", name);
            print(name + ", default options", service.explain(table.id(), others));
          }
        }
      }
    }
    return ExitCode.OK;
  }

  private void print(String name, Plan plan) {
    terminal.line("");
    terminal.format("%s: %.1f MB to be read", name, plan.debtBytes() / MB);
    for (Job job : plan.jobs()) {
      terminal.format(
          "  merge %s (%.1f MB)%s",
          job.inputs().stream()
              .map(LiveTable::descriptor)
              .map(Object::toString)
              .collect(Collectors.joining(", ")),
          job.onDiskBytes() / MB,
          job.level() > 0 ? " to level " + job.level() : "");
      terminal.line("    because: " + job.reason());
    }
    if (plan.jobs().isEmpty()) {
      terminal.line("  nothing to do");
    }
    plan.remarks().forEach(remark -> terminal.line("  " + remark));
  }
}
