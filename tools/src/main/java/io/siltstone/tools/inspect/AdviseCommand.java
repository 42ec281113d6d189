package io.siltstone.tools.inspect;

import io.siltstone.bench.report.JsonDocument;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.tools.process.ProcessOption;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code siltstone advise}: recommends options of a table. */
@Command(
    name = "advise",
    mixinStandardHelpOptions = true,
    description = {
      "Recommends a chunk length and a compaction strategy for a table, with the expected"
          + " effects, or recommends to keep the present ones.",
      "Compresses up to 8 MiB of the data in chunks of 4 to 256 KiB, also with Zstandard and a"
          + " dictionary, looks up 100 keys in all SSTables, and simulates strategies. Opens the"
          + " table for reading only; changes nothing.",
      "A running process that has the table open knows how often it is read and written:"
          + " name it with --pid or --jmx, and the recommendation takes that into account."
    })
public final class AdviseCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final Supplier<MemoryBudget> memory;
  private final InstantSource clock;

  @Mixin private InspectTarget target;

  @Mixin private ProcessOption process = new ProcessOption();

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean isJson;

  /**
   * Creates a command that prints to the terminal.
   *
   * @param memory that SSTables are opened with; stays open
   * @param clock decides what has expired
   */
  public AdviseCommand(Terminal terminal, Supplier<MemoryBudget> memory, InstantSource clock) {
    this.terminal = terminal;
    this.target = new InspectTarget(terminal);
    this.memory = memory;
    this.clock = clock;
  }

  @Override
  public Integer call() throws IOException {
    try (InspectedTable table = target.open()) {
      TableTraffic traffic =
          TableTraffic.ask(process, Path.of(table.database().path()), table.schema()).orElse(null);
      TableFacts facts = FactsGatherer.gather(table, traffic, memory.get(), clock.millis());
      List<Advice> advice = AdviceRules.apply(facts, SimulatedCost::of);
      if (isJson) {
        printJson(facts, advice);
      } else {
        AdviceText.print(facts, advice, terminal);
      }
      return table.damaged().isEmpty() ? ExitCode.OK : ExitCode.DAMAGED;
    }
  }

  private void printJson(TableFacts facts, List<Advice> advice) throws IOException {
    JsonDocument.write(terminal.out(), json -> AdviceJson.write(facts, advice, json));
  }
}
