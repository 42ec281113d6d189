package io.siltstone.tools.compact;

import com.fasterxml.jackson.core.JsonGenerator;
import io.siltstone.bench.report.JsonDocument;
import io.siltstone.compaction.CompactionPlan;
import io.siltstone.compaction.CompactionService;
import io.siltstone.schema.TableOptions;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.text.CountText;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.TableStrategy;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.Units;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code siltstone explain}: prints the plan of the compaction strategy. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    description = {
      "Prints which SSTables the table's compaction strategy would merge next and why, or"
          + " why none.",
      "Changes nothing. In a database, data that is only in the commit log is not" + " considered."
    })
public final class ExplainCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private CompactionTarget target;

  @Option(
      names = "--strategies",
      description = "Also print the plans of the other strategies with their default options.")
  private boolean isForAll;

  @Option(names = "--json", description = "Print one JSON document; sizes are bytes.")
  private boolean isJson;

  /** Creates a command that prints to the terminal. */
  public ExplainCommand(Terminal terminal) {
    this.terminal = terminal;
    this.target = new CompactionTarget(terminal);
  }

  @Override
  public Integer call() throws IOException {
    CompactionService service = target.service();
    // Only plans are asked for; no job may begin.
    service.pause();
    try (OpenTable table = target.open(service, true, UnaryOperator.identity())) {
      // Checks the options, which would otherwise fail as an internal error.
      var unused = TableStrategy.of(table.schema());
      List<Explained> explained = explain(service, table);
      if (isJson) {
        JsonDocument.write(terminal.out(), json -> write(json, table, explained));
      } else {
        terminal.format(
            "%s: %s, %s",
            table.id(),
            CountText.of(table.live().tables().size(), "SSTable"),
            Units.bytes(table.live().onDiskBytes()));
        explained.forEach(each -> print(each.title(), each.plan()));
      }
    }
    return ExitCode.OK;
  }

  /**
   * The plan of a strategy.
   *
   * @param options empty if the defaults were used
   */
  private record Explained(
      String title, String strategy, Map<String, String> options, CompactionPlan plan) {}

  /** Returns the plans, that of the table's own strategy first. */
  private List<Explained> explain(CompactionService service, OpenTable table) {
    TableOptions options = table.schema().options();
    String own = options.compactionStrategy();
    List<Explained> explained = new ArrayList<>();
    explained.add(
        new Explained(
            own + " " + options.compaction(),
            own,
            options.compaction(),
            service.explain(table.id())));
    if (isForAll) {
      for (String name : TableOptions.COMPACTION_STRATEGIES) {
        if (!name.equals(own)) {
          CompactionPlan plan = service.explain(table.id(), Map.of("class", name));
          explained.add(new Explained(name + ", default options", name, Map.of(), plan));
        }
      }
    }
    return explained;
  }

  private static void write(JsonGenerator json, OpenTable table, List<Explained> explained)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("table", table.id().toString());
    json.writeNumberField("sstables", table.live().tables().size());
    json.writeNumberField("bytes", table.live().onDiskBytes());
    json.writeArrayFieldStart("strategies");
    for (Explained each : explained) {
      json.writeStartObject();
      json.writeStringField("strategy", each.strategy());
      json.writeObjectFieldStart("options");
      for (Map.Entry<String, String> option : each.options().entrySet()) {
        json.writeStringField(option.getKey(), option.getValue());
      }
      json.writeEndObject();
      json.writeNumberField("bytes_to_read", each.plan().debtBytes());
      json.writeArrayFieldStart("jobs");
      for (CompactionPlan.PlannedJob job : each.plan().jobs()) {
        json.writeStartObject();
        json.writeArrayFieldStart("inputs");
        for (Descriptor input : job.inputs()) {
          json.writeString(input.toString());
        }
        json.writeEndArray();
        json.writeNumberField("bytes", job.onDiskBytes());
        json.writeNumberField("level", job.level());
        json.writeStringField("reason", job.reason());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeArrayFieldStart("remarks");
      for (String remark : each.plan().remarks()) {
        json.writeString(remark);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void print(String name, CompactionPlan plan) {
    terminal.line("");
    terminal.format("%s: %s to be read", name, Units.bytes(plan.debtBytes()));
    for (CompactionPlan.PlannedJob job : plan.jobs()) {
      terminal.format(
          "  merge %s (%s)%s",
          job.inputs().stream().map(Object::toString).collect(Collectors.joining(", ")),
          Units.bytes(job.onDiskBytes()),
          job.level() > 0 ? " to level " + job.level() : "");
      terminal.line("    because: " + job.reason());
    }
    if (plan.jobs().isEmpty()) {
      terminal.line("  nothing to do");
    }
    plan.remarks().forEach(remark -> terminal.line("  " + remark));
  }
}
