package io.siltstone.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.schema.TableSchema;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One step of a sequence, done to the engine and to the model.
 *
 * <p>What no longer makes sense, because an operation before it was taken out of the sequence, does
 * nothing.
 */
public sealed interface Operation {

  /** Does it on both sides, and compares what they say. */
  void run(Run run) throws IOException;

  /** A line to read, of the model as it is before. */
  default String text(ReferenceModel model) {
    return toString();
  }

  /** The same with less in it. */
  default Stream<Operation> simpler() {
    return Stream.of();
  }

  /** Writes changes together. */
  record Write(List<Change> changes) implements Operation {
    @Override
    public void run(Run run) throws IOException {
      List<Change.Stamped> stamped = stamp(run, changes);
      if (!stamped.isEmpty()) {
        run.engine().write(stamped);
        stamped.forEach(run.model()::write);
      }
    }

    @Override
    public String text(ReferenceModel model) {
      return statements(model, changes);
    }

    @Override
    public Stream<Operation> simpler() {
      return fewer(changes).map(Write::new);
    }
  }

  private static List<Change.Stamped> stamp(Run run, List<Change> changes) {
    ReferenceModel model = run.model();
    List<Change.Stamped> stamped = new ArrayList<>();
    for (Change change : changes) {
      if (model.accepts(change)
          && run.engine().canWrite(model.schema(change.table()), change, model.peekTimestamp())) {
        stamped.add(new Change.Stamped(change, model.nextTimestamp()));
      }
    }
    return stamped;
  }

  private static String statements(ReferenceModel model, List<Change> changes) {
    return changes.stream()
        .map(
            change ->
                model.accepts(change)
                    ? String.join(
                        "; ", new Cql(model.schema(change.table())).statements(change, null))
                    : "(nothing)")
        .collect(Collectors.joining("; together with "));
  }

  private static Stream<List<Change>> fewer(List<Change> changes) {
    List<List<Change>> all = new ArrayList<>();
    for (int i = 0; i < changes.size(); i++) {
      Change change = changes.get(i);
      if (changes.size() > 1) {
        List<Change> without = new ArrayList<>(changes);
        without.remove(i);
        all.add(without);
      }
      for (int step = 0; change.steps().size() > 1 && step < change.steps().size(); step++) {
        List<Step> steps = new ArrayList<>(change.steps());
        steps.remove(step);
        List<Change> without = new ArrayList<>(changes);
        without.set(i, new Change(change.table(), change.key(), steps));
        all.add(without);
      }
    }
    return all.stream();
  }

  /** Writes a change if a row is as it is required to be. */
  record WriteIf(Change change, List<Object> clustering, List<Requirement> requirements)
      implements Operation {
    @Override
    public void run(Run run) throws IOException {
      boolean columns =
          requirements.stream()
              .map(Requirement::column)
              .allMatch(
                  name ->
                      name.isEmpty()
                          || run.model().schema(change.table()).column(name).isPresent());
      List<Change.Stamped> stamped = columns ? stamp(run, List.of(change)) : List.of();
      // Over what is newer it takes a timestamp of its own, which nobody else knows.
      if (!stamped.isEmpty() && !run.model().hasNewer(stamped.get(0))) {
        boolean applied = run.model().holds(change, clustering, requirements);
        assertThat(run.engine().writeIf(stamped.get(0), clustering, requirements))
            .as("applied: %s", this)
            .isEqualTo(applied);
        if (applied) {
          run.model().write(stamped.get(0));
        }
      }
    }

    @Override
    public String text(ReferenceModel model) {
      return statements(model, List.of(change))
          + " IF "
          + change.key()
          + clustering
          + " "
          + requirements;
    }
  }

  /** Asks a question. */
  record Ask(Question question) implements Operation {
    @Override
    public void run(Run run) throws IOException {
      List<String> select = question.select();
      if (run.engine().canAnswer(question)
          && (select == null
              || select.stream()
                  .allMatch(
                      name -> run.model().schema(question.table()).column(name).isPresent()))) {
        run.ask(question);
      }
    }

    @Override
    public String text(ReferenceModel model) {
      TableSchema schema = model.schema(question.table());
      String columns = String.join(", ", ReferenceModel.resultColumns(schema, question));
      String select =
          question.rows().size() > 1
              ? question.toString()
              : new Cql(schema).select(question, columns.isEmpty() ? "(keys)" : columns);
      return select
          + (question.pageSize() == Integer.MAX_VALUE ? "" : ", by pages of " + question.pageSize())
          + (question.now().isEmpty() ? "" : ", as of " + question.now().getAsLong());
    }
  }

  /** Asks for all of all tables, in several ways. */
  record AskAll() implements Operation {
    @Override
    public void run(Run run) throws IOException {
      run.askAll();
    }
  }

  /** Writes what is in memory of a table to SSTables. */
  record Flush(String table) implements Operation {
    @Override
    public void run(Run run) throws IOException {
      run.engine().flush(table);
    }
  }

  /** Closes and opens again. */
  record Reopen() implements Operation {
    @Override
    public void run(Run run) throws IOException {
      run.engine().reopen();
    }
  }

  /** Ends without being closed, and opens again. */
  record Crash(long seed, boolean power) implements Operation {
    @Override
    public void run(Run run) throws IOException {
      run.engine().crash(seed, power);
    }
  }

  /** Removes all rows of a table. */
  record Truncate(String table) implements Operation {
    @Override
    public void run(Run run) throws IOException {
      run.engine().truncate(table);
      run.model().truncate(table);
    }
  }

  /** Takes foreign SSTables in. */
  record Import(String table, List<Change> changes) implements Operation {
    @Override
    public void run(Run run) throws IOException {
      List<Change.Stamped> stamped = stamp(run, changes);
      if (!stamped.isEmpty()) {
        run.engine().importTables(table, stamped);
        stamped.forEach(run.model()::write);
      }
    }

    @Override
    public String text(ReferenceModel model) {
      return "import into " + table + ": " + statements(model, changes);
    }

    @Override
    public Stream<Operation> simpler() {
      return fewer(changes).map(some -> new Import(table, some));
    }
  }

  /** Merges some SSTables of a table. */
  record Compact(String table, long seed) implements Operation {
    @Override
    public void run(Run run) throws IOException {
      run.engine().compact(table, seed);
    }
  }

  /** Adds a column, if there is none of its name. */
  record AddColumn(String table, String column, String type) implements Operation {
    @Override
    public void run(Run run) throws IOException {
      if (run.model().schema(table).column(column).isEmpty()) {
        run.alter(table, " ADD " + column + " " + type);
      }
    }
  }

  /** Drops a column, if there is one. */
  record DropColumn(String table, String column) implements Operation {
    @Override
    public void run(Run run) throws IOException {
      if (run.model().schema(table).column(column).isPresent()) {
        run.alter(table, " DROP " + column);
      }
    }
  }

  /** Sets options, which decide how rows are stored and not which. */
  record SetOptions(String table, String options) implements Operation {
    @Override
    public void run(Run run) throws IOException {
      run.alter(table, " WITH " + options);
    }
  }

  /** Copies all, and looks whether the copy answers the same. */
  record Checkpoint() implements Operation {
    @Override
    public void run(Run run) throws IOException {
      @Nullable EngineUnderTest copy = run.engine().checkpoint();
      if (copy != null) {
        try (copy) {
          run.on(copy).askAll();
        }
      }
    }
  }

  /** Lets time pass. */
  record AdvanceClock(int seconds) implements Operation {
    @Override
    public void run(Run run) {
      run.clock().advance(Duration.ofSeconds(seconds));
    }
  }
}
