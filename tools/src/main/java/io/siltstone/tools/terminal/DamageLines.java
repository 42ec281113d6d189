package io.siltstone.tools.terminal;

import io.siltstone.event.EngineListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Collects a line for each SSTable that could not be opened and was left aside. */
public final class DamageLines implements EngineListener {
  private final List<String> lines = new CopyOnWriteArrayList<>();

  @Override
  public void corruptionFound(CorruptionFound event) {
    lines.add(event.path() + " was left aside: " + event.cause().getMessage());
  }

  /** Those so far. */
  public List<String> lines() {
    return List.copyOf(lines);
  }
}
