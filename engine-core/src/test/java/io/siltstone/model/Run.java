package io.siltstone.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.model.Question.Partitions;
import io.siltstone.schema.TableSchema;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/** A sequence that is being run on an engine and the model. */
record Run(ReferenceModel model, EngineUnderTest engine, SteppedClock clock) {
  private static final Duration BETWEEN_OPERATIONS = Duration.ofMillis(1);

  Run on(EngineUnderTest other) {
    return new Run(model, other, clock);
  }

  /** Runs operations. */
  void all(List<Operation> operations) throws IOException {
    for (int i = 0; i < operations.size(); i++) {
      clock.advance(BETWEEN_OPERATIONS);
      try {
        operations.get(i).run(this);
      } catch (IOException | RuntimeException | Error e) {
        throw new AssertionError("operation " + i + ": " + e, e);
      }
    }
  }

  void ask(Question question) throws IOException {
    assertThat(engine.answer(question)).as("%s", question).isEqualTo(model.answer(question));
  }

  /** Asks for everything: by scan and by pages, each partition in both directions. */
  void askAll() throws IOException {
    for (String table : model.tables()) {
      ask(Question.all(table));
      ask(paged(Question.all(table), false));
      Question distinct = paged(Question.all(table), true);
      if (engine.canAnswer(distinct)) {
        ask(distinct);
      }
      for (List<Object> key : model.keys(table)) {
        ask(Question.of(table, key, false));
        Question reversed = Question.of(table, key, true);
        if (engine.canAnswer(reversed)) {
          ask(reversed);
        }
      }
    }
  }

  private static Question paged(Question all, boolean distinct) {
    return new Question(
        all.table(),
        new Partitions.All(),
        List.of(),
        false,
        distinct,
        null,
        Integer.MAX_VALUE,
        Integer.MAX_VALUE,
        3,
        OptionalLong.empty());
  }

  void alter(String table, String what) throws IOException {
    TableSchema schema = model.schema(table);
    String cql = "ALTER TABLE " + schema.keyspace() + "." + table + what + ";";
    long timestamp = model.nextTimestamp();
    engine.alter(table, cql, timestamp);
    model.alter(table, cql);
  }
}
