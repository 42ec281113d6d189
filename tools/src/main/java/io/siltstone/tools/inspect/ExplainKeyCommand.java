package io.siltstone.tools.inspect;

import com.fasterxml.jackson.core.JsonGenerator;
import io.siltstone.bench.report.JsonDocument;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.rows.Query;
import io.siltstone.schema.Column;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.KeyText;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.UsageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code siltstone explain-key}: explains the data of a partition key. */
@Command(
    name = "explain-key",
    mixinStandardHelpOptions = true,
    description = {
      "Explains, for everything that memtables and SSTables contain of a key, what became"
          + " of it: whether a read returns it, what shadows it, when it expired, and whether a"
          + " compaction of all SSTables would purge it, or why not yet.",
      "Opens the table for reading only, also while another process writes to it; the"
          + " commit log is read for the content of memtables."
    })
public final class ExplainKeyCommand implements Callable<Integer> {
  private static final long DEFAULT_LIMIT = 1000;

  private final Terminal terminal;
  private final InstantSource clock;

  @Mixin private InspectTarget target;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "KEY",
      description = "Partition keys; columns of a composite key are separated by ':'.")
  private List<String> keys = List.of();

  @Option(
      names = "--clustering",
      paramLabel = "VALUE",
      description =
          "Only rows whose first clustering column has this value; repeat it for the next"
              + " column. Range deletions are shown within these rows.")
  private List<String> clustering = List.of();

  @Option(
      names = "--now",
      paramLabel = "TIME",
      description =
          "Time at which data has expired or is purgeable, seconds since 1970 or ISO 8601"
              + " (default: the present).")
  private @Nullable String now;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Greatest number of findings per key, from 1 (default: ${DEFAULT-VALUE}).")
  private long limit = DEFAULT_LIMIT;

  @Option(
      names = "--trace",
      description =
          "Also read the rows, and print what the read did: memtables and SSTables"
              + " searched or skipped, key cache, index, chunks, bytes, microseconds. Caches are"
              + " empty at first, because this process has its own.")
  private boolean isTraced;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean isJson;

  /**
   * Creates a command that prints to the terminal.
   *
   * @param clock decides what has expired, unless a time is given
   */
  public ExplainKeyCommand(Terminal terminal, InstantSource clock) {
    this.terminal = terminal;
    this.target = new InspectTarget(terminal);
    this.clock = clock;
  }

  @Override
  public Integer call() throws IOException {
    if (limit < 1) {
      throw new UsageException("--limit = " + limit + ", allowed 1 or more");
    }
    String at = now;
    long nowSeconds =
        at == null ? clock.instant().getEpochSecond() : TimeFormat.parseSeconds("--now", at);
    try (InspectedTable table = target.open()) {
      List<String> damaged = new ArrayList<>(table.damaged());
      List<Query> queries = new ArrayList<>();
      for (String key : keys) {
        queries.add(query(table, key, nowSeconds));
      }
      if (isJson) {
        printJson(table, queries, nowSeconds, damaged);
      } else {
        print(table, queries, nowSeconds, damaged);
      }
      terminal.out().flush();
      damaged.subList(table.damaged().size(), damaged.size()).forEach(terminal::errorLine);
      return damaged.isEmpty() ? ExitCode.OK : ExitCode.DAMAGED;
    }
  }

  private Query query(InspectedTable table, String text, long nowSeconds) {
    TableSchema schema = table.schema();
    PartitionKey key;
    try {
      List<String> columns = schema.partitionKeyColumns().stream().map(Column::name).toList();
      key = KeyText.parse(schema.keyType(), columns, table.database().partitioner(), text);
    } catch (IllegalArgumentException e) {
      throw new UsageException(
          "key '" + text + "' of " + names(schema.partitionKeyColumns()) + ": " + e.getMessage(),
          e);
    }
    if (nowSeconds < 0) {
      throw new UsageException("--now = " + nowSeconds + ", allowed 0 s or more");
    }
    Query.Builder query = table.table().query().partition(key).nowSeconds(nowSeconds);
    try {
      if (!clustering.isEmpty()) {
        query.rows(ClusteringRange.of(clusteringValues(schema)));
      }
      return query.build();
    } catch (IllegalArgumentException e) {
      throw new UsageException(
          "key '" + text + "', --clustering " + clustering + ": " + e.getMessage(), e);
    }
  }

  private static String names(List<Column> columns) {
    return String.join(
        ":", columns.stream().map(each -> each.name() + " " + each.type().cqlName()).toList());
  }

  private Object[] clusteringValues(TableSchema schema) {
    List<Column> columns = schema.clusteringColumns();
    if (clustering.size() > columns.size()) {
      throw new UsageException(
          clustering.size()
              + " times --clustering, the table has "
              + columns.size()
              + " clustering columns");
    }
    Object[] values = new Object[clustering.size()];
    for (int i = 0; i < values.length; i++) {
      try {
        values[i] = ByteBuffer.wrap(columns.get(i).type().parse(clustering.get(i)));
      } catch (IllegalArgumentException e) {
        throw new UsageException(
            "--clustering '"
                + clustering.get(i)
                + "' of "
                + columns.get(i).name()
                + " "
                + columns.get(i).type().cqlName()
                + ": "
                + e.getMessage(),
            e);
      }
    }
    return values;
  }

  private static long token(Query query) {
    return query.partitionKey().orElseThrow().token();
  }

  /** Traces a read before its chunks are cached; empty if a file that it needs is damaged. */
  private static Optional<TraceText> traced(InspectedTable table, Query query, List<String> damaged)
      throws IOException {
    try {
      return Optional.of(TraceText.of(table.table(), query));
    } catch (CorruptSSTableException e) {
      damaged.add("a read of the key fails: " + e.getMessage());
      return Optional.empty();
    }
  }

  private void print(
      InspectedTable table, List<Query> queries, long nowSeconds, List<String> damaged)
      throws IOException {
    for (int i = 0; i < queries.size(); i++) {
      terminal.format(
          "%s%s, key %s, token %d, at %s, gc_grace_seconds %d",
          i == 0 ? "" : "\n",
          table.table(),
          keys.get(i),
          token(queries.get(i)),
          TimeFormat.ofSeconds(nowSeconds),
          table.schema().options().gcGraceSeconds());
      if (isTraced) {
        traced(table, queries.get(i), damaged).ifPresent(trace -> trace.print(terminal));
      }
      FindingText text = new FindingText(terminal, limit, !clustering.isEmpty());
      text.end(table.table().explain(queries.get(i), text));
      damaged.addAll(text.damaged());
    }
  }

  private void printJson(
      InspectedTable table, List<Query> queries, long nowSeconds, List<String> damaged)
      throws IOException {
    JsonDocument.write(terminal.out(), json -> write(json, table, queries, nowSeconds, damaged));
  }

  private void write(
      JsonGenerator json,
      InspectedTable table,
      List<Query> queries,
      long nowSeconds,
      List<String> damaged)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("table", table.table().toString());
    json.writeNumberField("now", nowSeconds);
    json.writeNumberField("gc_grace_seconds", table.schema().options().gcGraceSeconds());
    json.writeArrayFieldStart("keys");
    for (int i = 0; i < queries.size(); i++) {
      json.writeStartObject();
      json.writeStringField("key", keys.get(i));
      json.writeNumberField("token", token(queries.get(i)));
      if (isTraced) {
        Optional<TraceText> trace = traced(table, queries.get(i), damaged);
        if (trace.isPresent()) {
          trace.get().write(json);
        }
      }
      FindingJson findings = new FindingJson(json, limit);
      findings.begin();
      findings.end(table.table().explain(queries.get(i), findings));
      damaged.addAll(findings.damaged());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("damaged");
    for (String line : damaged) {
      json.writeString(line);
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
