package io.siltstone.model;

import io.siltstone.clock.ListPaths;
import io.siltstone.clock.WriteClock;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.mutation.MutationFactory;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableSchema;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An engine that stores nothing and answers as the model does. */
record AgreeingEngine(ReferenceModel model) implements EngineUnderTest {
  @Override
  public void create(TableDefinition table) {}

  @Override
  public void write(List<Change.Stamped> changes) {}

  @Override
  public boolean writeIf(
      Change.Stamped change, List<Object> clustering, List<Requirement> requirements) {
    return model.holds(change.change(), clustering, requirements);
  }

  @Override
  public List<Map<String, @Nullable Object>> answer(Question question) {
    return model.answer(question);
  }

  @Override
  public boolean canWrite(TableSchema schema, Change change, long timestamp) {
    InstantSource clock = InstantSource.fixed(Instant.EPOCH);
    MutationFactory mutations =
        new MutationFactory(
            schema,
            RowEncoding.of(schema, EncodingStats.NONE, true),
            Partitioner.MURMUR3,
            WriteClock.following(clock),
            new ListPaths(clock, 0));
    return EngineCalls.isWithoutContradiction(
        mutations.mutation(change.key().toArray()), schema, change, timestamp);
  }

  @Override
  public void truncate(String table) {}

  @Override
  public void alter(String table, String cql, long timestamp) {}

  @Override
  public void close() {}
}
