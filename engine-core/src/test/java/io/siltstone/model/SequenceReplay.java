package io.siltstone.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Table;
import io.siltstone.model.Question.Partitions;
import io.siltstone.schema.Column;
import io.siltstone.schema.TableSchema;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs a sequence operation by operation, on an engine and the model or on the model alone, so that
 * one process can continue where another was killed. The clock of the sequence depends only on how
 * many operations were done. Used by one thread.
 */
public final class SequenceReplay {
  private final Sequence sequence;
  private final SteppedClock clock;
  private final ReferenceModel model;
  private int done;
  private boolean hasTakenTime;

  /** Begins before the first operation, with empty tables. */
  public SequenceReplay(Sequence sequence) {
    this.sequence = sequence;
    this.clock = new SteppedClock(sequence.start());
    this.model = new ReferenceModel(sequence.partitioner(), clock);
    sequence.tables().forEach(table -> model.create(table.schema()));
  }

  /**
   * Returns the sequence with one change at most of each partition in a batch. Two might contradict
   * each other, and would then be written one after the other: not atomically.
   */
  public static Sequence ofAtomicWrites(Sequence sequence) {
    return sequence.with(
        sequence.operations().stream()
            .map(
                operation ->
                    operation instanceof Operation.Write write ? withoutTwins(write) : operation)
            .toList());
  }

  private static Operation withoutTwins(Operation.Write write) {
    Map<List<Object>, Change> changes = new LinkedHashMap<>();
    write
        .changes()
        .forEach(change -> changes.putIfAbsent(List.of(change.table(), change.key()), change));
    return new Operation.Write(List.copyOf(changes.values()));
  }

  /** Returns the clock of the sequence, which the engine has to use. */
  public SteppedClock clock() {
    return clock;
  }

  /** Returns how many operations were done. */
  public int done() {
    return done;
  }

  /** Returns whether all operations were done. */
  public boolean isAtEnd() {
    return done == sequence.operations().size();
  }

  /** Returns the next operation. */
  public Operation next() {
    return sequence.operations().get(done);
  }

  /** Creates the tables where they are missing, and gives them their options. */
  public void create(EngineUnderTest engine) throws IOException {
    for (TableDefinition table : sequence.tables()) {
      engine.create(table);
    }
  }

  /** Does the next operation on the engine and the model, and compares what they answer. */
  public void step(EngineUnderTest engine) throws IOException {
    hasTakenTime = true;
    new Run(model, engine, clock).all(List.of(sequence.operations().get(done)));
    finish();
  }

  /** Does the next operation on the model alone. */
  public void skip() throws IOException {
    Operation operation = sequence.operations().get(done);
    boolean onlyReads =
        operation instanceof Operation.Ask
            || operation instanceof Operation.AskAll
            || operation instanceof Operation.Checkpoint;
    new Run(model, new AgreeingEngine(model), clock)
        .all(List.of(onlyReads ? new Operation.AdvanceClock(0) : operation));
    finish();
  }

  /** Leaves the next operation out; the time that it takes passes, unless it was tried before. */
  public void drop() throws IOException {
    if (!hasTakenTime) {
      new Run(model, new AgreeingEngine(model), clock).all(List.of(new Operation.AdvanceClock(0)));
    }
    finish();
  }

  private void finish() {
    hasTakenTime = false;
    done++;
  }

  /** Fails unless the database has the tables, columns and rows of the model. */
  public void requireSame(DatabaseEngine engine) throws IOException {
    for (TableDefinition definition : sequence.tables()) {
      Table table = engine.database().table(TableDefinition.KEYSPACE, definition.name());
      assertThat(columns(table.schema()))
          .as("columns of %s", table)
          .isEqualTo(columns(model.schema(definition.name())));
    }
    new Run(model, engine, clock).askAll();
  }

  /** Returns what the model has in a table now, as it will be seen at the given time. */
  public List<Map<String, @Nullable Object>> rows(String table, long nowSeconds) {
    return model.answer(asOf(table, nowSeconds));
  }

  /** Returns what an engine has in a table, as it is seen at the given time. */
  public static List<Map<String, @Nullable Object>> rows(
      EngineUnderTest engine, String table, long nowSeconds) throws IOException {
    return engine.answer(asOf(table, nowSeconds));
  }

  private static Question asOf(String table, long nowSeconds) {
    return new Question(
        table,
        new Partitions.All(),
        List.of(),
        false,
        false,
        null,
        Integer.MAX_VALUE,
        Integer.MAX_VALUE,
        Integer.MAX_VALUE,
        OptionalLong.of(nowSeconds));
  }

  /** Fails if there are other tables than those of the sequence, or rows in them. */
  public void requireEmpty(DatabaseEngine engine) throws IOException {
    for (Table table : engine.database().tables()) {
      assertThat(sequence.tables().stream().map(TableDefinition::name))
          .contains(table.schema().name());
      assertThat(Contents.count(table)).as("rows of %s", table).isZero();
    }
  }

  private static List<String> columns(TableSchema schema) {
    return Stream.of(schema.staticColumns(), schema.regularColumns())
        .flatMap(List::stream)
        .map(Column::toString)
        .sorted()
        .toList();
  }
}
