package io.siltstone;

import io.siltstone.event.EngineListener;

/**
 * A listener that passes on damage to the commit log only, since an offline table reports that of
 * its SSTables itself.
 *
 * @param listener receives the events
 */
record LogDamage(EngineListener listener) implements EngineListener {
  @Override
  public void corruptionFound(CorruptionFound event) {
    if (event.table() == null) {
      listener.corruptionFound(event);
    }
  }
}
