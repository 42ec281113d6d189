package io.siltstone.tools.terminal;

import io.siltstone.event.EngineListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Collects a line for each SSTable that was left aside, and for what is damaged of the log. */
public final class DamageLines implements EngineListener {
  private final List<String> lines = new CopyOnWriteArrayList<>();

  @Override
  public void corruptionFound(CorruptionFound event) {
    String what =
        event.table() == null ? " was skipped as far as it is damaged: " : " was left aside: ";
    lines.add(event.path() + what + Failures.describe(event.cause()));
  }

  /** Those so far. */
  public List<String> lines() {
    return List.copyOf(lines);
  }
}
