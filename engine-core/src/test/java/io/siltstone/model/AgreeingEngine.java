package io.siltstone.model;

import io.siltstone.schema.TableSchema;
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
  public boolean canWrite(TableSchema schema, Change change) {
    return true;
  }

  @Override
  public void truncate(String table) {}

  @Override
  public void alter(String table, String cql, long timestamp) {}

  @Override
  public void close() {}
}
